import { type ReactNode, useId } from 'react';
import type { FieldValues } from 'react-hook-form';
import { FIRST_TRY_DONE, QUOTE_CHANGED, WAITING_FOR_APPROVAL } from '~/shared/lib/problem';
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
  /** False while what is confirmed is not on the screen yet. */
  ready?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Problems that take the fields' place, with a button of their own. */
const INSTEAD = new Set([FIRST_TRY_DONE, QUOTE_CHANGED, WAITING_FOR_APPROVAL]);

/** A question that needs something entered: leaving it with that asks first. */
export function FormConfirm<Values extends FieldValues, Output extends FieldValues>(
  props: FormConfirmProps<Values, Output>,
) {
  const { shell } = props;
  const form = useId();
  const { leave, beside, ...closing } = useWayOut(shell, props.onClose);
  return (
    <>
      <Confirm
        step={false}
        opened
        danger={props.danger}
        title={props.title}
        facts={props.facts}
        confirmLabel={props.confirmLabel}
        busy={shell.sending}
        ready={props.ready !== false && !INSTEAD.has(shell.problem?.code ?? '')}
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
