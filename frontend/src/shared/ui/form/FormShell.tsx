import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type FieldValues, FormProvider } from 'react-hook-form';
import { FIRST_TRY_DONE, QUOTE_CHANGED, WAITING_FOR_APPROVAL } from '~/shared/lib/problem';
import { retryingImport } from '~/shared/lib/retryingImport';
import { useTexts } from '~/shared/lib/texts';
import { latePart } from '../latePart';
import { WaitingNotice } from '../WaitingNotice';
import { FormProblem } from './FormProblem';
import classes from './FormShell.module.css';
import type { FormShellState } from './useFormShell';

// Loaded on demand: most forms, such as the login's, move no money.
const FiguresChanged = latePart(
  async () => (await retryingImport(() => import('../FiguresChanged'))).FiguresChanged,
);

interface FormShellProps<Values extends FieldValues, Output extends FieldValues> {
  shell: FormShellState<Values, Output>;
  id?: string;
  label?: string;
  children: ReactNode;
  /** The buttons, below the server's refusal. */
  actions?: ReactNode;
  /** Keeps the buttons visible where the form is higher than the window. */
  sticky?: boolean;
}

/** The frame of every form: provides the form to its fields, and shows errors that belong to no field. */
export function FormShell<Values extends FieldValues, Output extends FieldValues>(
  props: FormShellProps<Values, Output>,
) {
  const { shell, id, label, children, actions, sticky } = props;
  const t = useTexts();
  const doneBefore = shell.problem?.code === FIRST_TRY_DONE;
  const changed = shell.problem?.code === QUOTE_CHANGED;
  const waits = shell.problem?.code === WAITING_FOR_APPROVAL;
  const instead = doneBefore || changed || waits;
  return (
    <FormProvider {...shell.form}>
      {/* The browser's validation messages would be in its language, not the reader's. */}
      <form
        id={id}
        aria-label={label}
        noValidate
        onSubmit={(event) => {
          // Events bubble through portals: a form in a dialog of another form must not submit both.
          event.stopPropagation();
          void shell.submit(event);
        }}
      >
        <Stack gap="sm">
          {/* The fields are hidden, not unmounted, so that they keep their state. */}
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
          {shell.problem && waits && <WaitingNotice problem={shell.problem} />}
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
              <FormProblem shell={shell} />
              {actions}
            </Stack>
          )}
        </Stack>
      </form>
    </FormProvider>
  );
}
