import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type FieldValues, FormProvider } from 'react-hook-form';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '../problemText';
import { FIRST_TRY_DONE, type FormShellState } from './useFormShell';

interface FormShellProps<Values extends FieldValues, Output extends FieldValues> {
  shell: FormShellState<Values, Output>;
  id?: string;
  label?: string;
  children: ReactNode;
}

/** The frame of every form: hands the form to its fields and shows what no field could. */
export function FormShell<Values extends FieldValues, Output extends FieldValues>(
  props: FormShellProps<Values, Output>,
) {
  const { shell, id, label, children } = props;
  const t = useTexts();
  const doneBefore = shell.problem?.code === FIRST_TRY_DONE;
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
          {/* The fields stay, out of sight: going on with the first try needs none of them, and nothing of them is lost. */}
          <div hidden={doneBefore} style={{ display: doneBefore ? 'none' : 'contents' }}>
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
          {shell.problem && !doneBefore && (
            <Alert
              color="red"
              variant="light"
              icon={<IconAlertTriangle size={18} aria-hidden />}
              role="alert"
            >
              {problemText(t, shell.problem)}
            </Alert>
          )}
        </Stack>
      </form>
    </FormProvider>
  );
}
