import { Alert, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type FieldValues, FormProvider } from 'react-hook-form';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '../problemText';
import type { FormShellState } from './useFormShell';

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
          {children}
          {shell.problem && (
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
