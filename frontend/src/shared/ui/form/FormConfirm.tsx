import { type ReactNode, useId } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Confirm } from '../Confirm';
import type { Fact } from '../Facts';
import { FormShell } from './FormShell';
import type { FormShellState } from './useFormShell';
import { useWayOut } from './useWayOut';

interface FormConfirmProps<Values extends FieldValues, Output extends FieldValues> {
  title: string;
  /** The action, its object, and the amount. */
  facts: Fact[];
  shell: FormShellState<Values, Output>;
  confirmLabel: string;
  danger?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A confirmation that needs input; leaving it with input asks first. */
export function FormConfirm<Values extends FieldValues, Output extends FieldValues>(
  props: FormConfirmProps<Values, Output>,
) {
  const { shell } = props;
  const form = useId();
  const { leave, beside, ...closing } = useWayOut(shell, props.onClose);
  return (
    <>
      <Confirm
        opened
        danger={props.danger}
        title={props.title}
        facts={props.facts}
        confirmLabel={props.confirmLabel}
        busy={shell.sending}
        form={form}
        onClose={leave}
        {...closing}
      >
        <FormShell shell={shell} id={form}>
          {props.children}
        </FormShell>
      </Confirm>
      {beside}
    </>
  );
}
