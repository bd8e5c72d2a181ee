import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTexts } from '~/shared/lib/texts';
import classes from './CopyValue.module.css';

interface CopyValueProps {
  /** The copied text, without digit grouping, as banking apps accept it. */
  value: string;
  /** Accessible name of the button. */
  label: string;
  /** The displayed form; the value by default. */
  children?: ReactNode;
}

export function CopyValue({ value, label, children }: CopyValueProps) {
  const t = useTexts();
  return (
    <span className={classes.pair}>
      <span>{children ?? value}</span>
      <CopyButton value={value}>
        {({ copied, copy }) => {
          const said = copied ? t('common:copy.done') : t('common:copy.label', { label });
          return (
            <Tooltip label={said} withArrow openDelay={400}>
              <ActionIcon
                variant="subtle"
                size={36}
                className={classes.button}
                onClick={(event) => {
                  event.stopPropagation();
                  copy();
                }}
                aria-label={said}
              >
                {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          );
        }}
      </CopyButton>
    </span>
  );
}
