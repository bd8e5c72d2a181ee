import { Button, Group, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { useTexts } from '~/shared/lib/texts';
import { FormShell } from './FormShell';
import { UnsavedGuard } from './UnsavedGuard';
import type { FormShellState } from './useFormShell';

interface FormPageProps<Values extends FieldValues, Output extends FieldValues> {
  label: string;
  shell: FormShellState<Values, Output>;
  /** Target of "cancel"; no such button if absent. */
  back?: string;
  saveLabel?: string;
  /** Maximum width in pixels: a line of two fields stays readable. */
  width?: number;
  children: ReactNode;
}

const USUAL_WIDTH_PX = 860;

/** A form on its own screen; leaving it with changes asks first. */
export function FormPage<Values extends FieldValues, Output extends FieldValues>(
  props: FormPageProps<Values, Output>,
) {
  const t = useTexts();
  const navigate = useNavigate();
  const { shell, back } = props;
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }} maw={props.width ?? USUAL_WIDTH_PX}>
      <UnsavedGuard unsaved={shell.unsaved} />
      <FormShell
        shell={shell}
        label={props.label}
        sticky
        actions={
          <Group justify="flex-end" gap="sm">
            {back && (
              <Button variant="default" disabled={shell.sending} onClick={() => void navigate(back)}>
                {t('common:actions.cancel')}
              </Button>
            )}
            <Button type="submit" loading={shell.sending}>
              {props.saveLabel ?? t('common:actions.save')}
            </Button>
          </Group>
        }
      >
        {props.children}
      </FormShell>
    </Paper>
  );
}
