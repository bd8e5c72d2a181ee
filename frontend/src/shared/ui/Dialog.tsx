import { Modal, type ModalProps } from '@mantine/core';
import { useHistoryStep } from '~/shared/lib/historyStep';
import { useReturnFocus } from '~/shared/lib/returnFocus';
import { useTexts } from '~/shared/lib/texts';

interface DialogProps extends ModalProps {
  /**
   * False where `useWayOut` is the dialog's way out, and its step of the history; and for a question about leaving,
   * which stands in the way of the step back that asked for it.
   */
  step?: boolean;
  /** What Back does; it closes the dialog when absent. */
  onBack?: () => void;
}

/** Within the open dialog: gone with it. */
function Within({ step, onBack }: { step: boolean; onBack: () => void }) {
  useHistoryStep(step, onBack);
  useReturnFocus();
  return null;
}

/** Every dialog: a step of the history, which gives the focus back and has a cross with a name. */
export function Dialog({ step = true, onBack, closeButtonProps, children, ...modal }: DialogProps) {
  const t = useTexts();
  return (
    <Modal {...modal} closeButtonProps={{ 'aria-label': t('common:actions.close'), ...closeButtonProps }}>
      <Within step={step} onBack={onBack ?? modal.onClose} />
      {children}
    </Modal>
  );
}
