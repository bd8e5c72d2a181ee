import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { newKey } from '~/shared/lib/newKey';
import type { Fact } from './Facts';
import { FormConfirm } from './form/FormConfirm';
import { useFormShell } from './form/useFormShell';
import { useToast } from './toasts/toasts';

interface ConfirmActProps {
  title: string;
  message: string;
  /** The object of the action. */
  facts: Fact[];
  confirmLabel: string;
  danger?: boolean;
  /** False until the effects are on the screen. */
  ready?: boolean;
  /** Does it, under the dialog's idempotency key. */
  act: (key: string) => Promise<unknown>;
  /** The toast when it is done. */
  done: string;
  onDone?: () => void;
  onClose: () => void;
  /** Below the message. */
  children?: ReactNode;
}

/** A form without fields. */
const noFields = { resolver: () => ({ values: {}, errors: {} }), defaults: {} };

/** Asks, does it, and says so; what the server refuses stays in the dialog, with the way back. */
export function ConfirmAct(props: ConfirmActProps) {
  const toast = useToast();
  const shell = useFormShell({
    ...noFields,
    newKey,
    send: async (_, key) => {
      await props.act(key);
      toast('good', props.done);
      props.onDone?.();
      props.onClose();
    },
  });
  return (
    <FormConfirm
      title={props.title}
      facts={props.facts}
      confirmLabel={props.confirmLabel}
      danger={props.danger}
      ready={props.ready}
      shell={shell}
      onClose={props.onClose}
    >
      <Text>{props.message}</Text>
      {props.children}
    </FormConfirm>
  );
}
