import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { type FieldValues, FormProvider } from 'react-hook-form';
import { type Problem, QUOTE_CHANGED } from '~/shared/lib/problem';
import { retryingImport } from '~/shared/lib/retryingImport';
import { useTexts } from '~/shared/lib/texts';
import { latePart } from '../latePart';
import { problemText } from '../problemText';
import classes from './FormShell.module.css';
import { FIRST_TRY_DONE, type FormShellState } from './useFormShell';

// Most forms move no money: their pages, the login among them, load without it.
const FiguresChanged = latePart(
  async () => (await retryingImport(() => import('../FiguresChanged'))).FiguresChanged,
);

interface FormShellProps<Values extends FieldValues, Output extends FieldValues> {
  shell: FormShellState<Values, Output>;
  id?: string;
  label?: string;
  children: ReactNode;
  /** The buttons: below what the server refused. */
  actions?: ReactNode;
  /** The buttons stay in sight where the form is longer than the window. */
  sticky?: boolean;
}

/** A refusal that no field shows. Scrolled into view: the button may be in a column beside the form. */
function Refusal({ problem }: { problem: Problem }) {
  const t = useTexts();
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal is a new problem
  useEffect(() => {
    // jsdom has no scrollIntoView.
    box.current?.scrollIntoView?.({ block: 'nearest' });
  }, [problem]);
  return (
    <Alert
      ref={box}
      className={classes.refusal}
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      role="alert"
    >
      {problemText(t, problem)}
    </Alert>
  );
}

/** The frame of every form: hands the form to its fields and shows what no field could. */
export function FormShell<Values extends FieldValues, Output extends FieldValues>(
  props: FormShellProps<Values, Output>,
) {
  const { shell, id, label, children, actions, sticky } = props;
  const t = useTexts();
  const doneBefore = shell.problem?.code === FIRST_TRY_DONE;
  const changed = shell.problem?.code === QUOTE_CHANGED;
  const instead = doneBefore || changed;
  return (
    <FormProvider {...shell.form}>
      {/* The browser's own bubbles would speak its language, not the reader's. */}
      <form
        id={id}
        aria-label={label}
        noValidate
        onSubmit={(event) => {
          // A form in a dialog opened from another form must not submit both: events bubble through portals.
          event.stopPropagation();
          void shell.submit(event);
        }}
      >
        <Stack gap="sm">
          {/* The fields stay, out of sight: what takes their place needs none of them, and nothing of them is lost. */}
          <div hidden={instead} style={{ display: instead ? 'none' : 'contents' }}>
            {children}
          </div>
          {doneBefore && (
            <Alert
              color="yellow"
              variant="light"
              icon={<IconInfoCircle size={18} aria-hidden />}
              role="alert"
              title={t('common:firstTry.title')}
            >
              <Text size="sm">{t('common:firstTry.hint')}</Text>
              <Button mt="sm" mih={44} loading={shell.sending} onClick={() => void shell.goOn()}>
                {t('common:firstTry.goOn')}
              </Button>
            </Alert>
          )}
          {shell.problem && changed && (
            <FiguresChanged problem={shell.problem}>
              <Group justify="flex-end" gap="sm" mt="md">
                <Button variant="default" mih={44} onClick={shell.dismiss} disabled={shell.sending}>
                  {t('common:actions.back')}
                </Button>
                <Button mih={44} loading={shell.sending} onClick={() => void shell.confirmAnew()}>
                  {t('common:figures.confirm')}
                </Button>
              </Group>
            </FiguresChanged>
          )}
          {!instead && (shell.problem || actions) && (
            <Stack gap="sm" className={sticky ? classes.foot : undefined}>
              {shell.problem && <Refusal problem={shell.problem} />}
              {actions}
            </Stack>
          )}
        </Stack>
      </form>
    </FormProvider>
  );
}
