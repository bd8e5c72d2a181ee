import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { asProblem, type Problem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { Confirm } from './Confirm';
import type { Fact } from './Facts';
import { DialogStep } from './form/DialogStep';
import { problemText } from './problemText';
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
  act: () => Promise<unknown>;
  /** Text of the success toast. */
  done: string;
  onDone?: () => void;
  onClose: () => void;
}

/** Asks for confirmation, sends the action, and shows a toast. A refusal is shown in the dialog, with a way back. */
export function ConfirmAct(props: ConfirmActProps) {
  const t = useTexts();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const running = useRef(false);

  const run = async () => {
    // React state is updated a frame later, so a ref stops a second click before that.
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await props.act();
      toast('good', props.done);
      props.onDone?.();
      props.onClose();
    } catch (thrown) {
      setProblem(asProblem(thrown));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };

  return (
    <Confirm
      opened
      title={props.title}
      facts={props.facts}
      confirmLabel={props.confirmLabel}
      danger={props.danger}
      busy={busy}
      ready={props.ready}
      onConfirm={() => void run()}
      onClose={props.onClose}
    >
      <DialogStep onBack={props.onClose} />
      <Text>{props.message}</Text>
      {problem && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} role="alert">
          {problemText(t, problem)}
        </Alert>
      )}
    </Confirm>
  );
}
