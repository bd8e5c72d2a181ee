import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '../breakpoints';
import { Dialog } from '../Dialog';
import { FormShell } from './FormShell';
import type { FormShellState } from './useFormShell';
import { useWayOut } from './useWayOut';

/** Minimum height of a touch target. */
const THUMB_PX = 44;

interface FormModalProps<Values extends FieldValues, Output extends FieldValues> {
  title: string;
  shell: FormShellState<Values, Output>;
  onClose: () => void;
  size?: 'md' | 'lg' | 'xl';
  saveLabel?: string;
  cancelLabel?: string;
  children: ReactNode;
}

/** A form in a dialog. Leaving it with changes asks first; on a phone it fills the screen. */
export function FormModal<Values extends FieldValues, Output extends FieldValues>(
  props: FormModalProps<Values, Output>,
) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  const { shell } = props;
  const tall = phone ? THUMB_PX : undefined;
  const { leave, beside, ...closing } = useWayOut(shell, props.onClose);
  return (
    <>
      <Dialog
        step={false}
        opened
        onClose={leave}
        title={props.title}
        size={props.size ?? 'lg'}
        fullScreen={phone}
        {...closing}
        closeButtonProps={{ size: phone ? THUMB_PX : undefined }}
      >
        <FormShell
          shell={shell}
          label={props.title}
          sticky
          actions={
            <Group justify="flex-end" gap="sm">
              <Button variant="default" mih={tall} onClick={leave} disabled={shell.sending}>
                {props.cancelLabel ?? t('common:actions.cancel')}
              </Button>
              <Button type="submit" mih={tall} loading={shell.sending}>
                {props.saveLabel ?? t('common:actions.save')}
              </Button>
            </Group>
          }
        >
          {props.children}
        </FormShell>
      </Dialog>
      {beside}
    </>
  );
}
