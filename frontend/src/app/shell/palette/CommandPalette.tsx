import { CloseButton, Loader, ScrollArea, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { afterSteps } from '~/shared/lib/historyStep';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Dialog } from '~/shared/ui/Dialog';
import classes from './CommandPalette.module.css';
import { useCommands } from './useCommands';

interface CommandPaletteProps {
  onClose: () => void;
  onLogOut: () => void;
}

/** Command palette: go to a screen, find a record, act. */
export function CommandPalette({ onClose, onLogOut }: CommandPaletteProps) {
  const t = useTexts();
  const id = useId();
  const phone = useMediaQuery(PHONE);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const { commands, searching } = useCommands(typed, onLogOut);
  const here = Math.min(at, Math.max(commands.length - 1, 0));
  const chosen = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is what scrolls
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [here]);

  const run = (index: number) => {
    const command = commands[index];
    if (!command) return;
    onClose();
    afterSteps(() => command.run());
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      setAt((here + step + commands.length) % commands.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(here);
    }
  };

  return (
    <Dialog
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="lg"
      fullScreen={phone}
      yOffset="12vh"
      attributes={{ content: { 'aria-label': t('entities:palette.label') } }}
    >
      <TextInput
        className={classes.input}
        role="combobox"
        aria-label={t('entities:palette.label')}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={commands.length > 0 ? `${id}-${here}` : undefined}
        autoComplete="off"
        data-autofocus
        placeholder={t('entities:palette.placeholder')}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={
          searching ? (
            <Loader size={16} />
          ) : phone ? (
            // A telephone has no Escape key.
            <CloseButton size="lg" aria-label={t('common:actions.close')} onClick={onClose} />
          ) : undefined
        }
        rightSectionWidth={phone ? 52 : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ScrollArea.Autosize mah={phone ? 'calc(100dvh - 70px)' : 420} type="auto">
        {commands.length === 0 && !searching ? (
          <div className={classes.none} role="status">
            {t('entities:palette.none')}
          </div>
        ) : null}
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={t('entities:palette.label')}
          className={classes.list}
        >
          {commands.map((command, index) => (
            <Fragment key={command.id}>
              {command.section !== commands[index - 1]?.section && (
                <div className={classes.section} role="presentation">
                  {command.section}
                </div>
              )}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys and the focus */}
              <div
                id={`${id}-${index}`}
                ref={index === here ? chosen : undefined}
                role="option"
                tabIndex={-1}
                aria-selected={index === here}
                className={classes.option}
                onClick={() => run(index)}
                onMouseMove={() => index !== here && setAt(index)}
              >
                <command.icon size={18} stroke={1.7} aria-hidden />
                <span>{command.label}</span>
                {command.note && <span className={classes.note}>{command.note}</span>}
              </div>
            </Fragment>
          ))}
        </div>
      </ScrollArea.Autosize>
    </Dialog>
  );
}
