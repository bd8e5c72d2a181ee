import { Modal, type ModalProps } from '@mantine/core';
import { useRef } from 'react';
import { useEscape } from '~/shared/lib/escape';
import { useHistoryStep } from '~/shared/lib/historyStep';
import { useOpeningFocus } from '~/shared/lib/openingFocus';
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
  const place = useRef<HTMLSpanElement>(null);
  useHistoryStep(step, onBack);
  useReturnFocus();
  useOpeningFocus(place);
  return <span ref={place} hidden />;
}

/**
 * Every dialog: a step of the history, which takes the focus and gives it back, is closed by Escape when it is the topmost
 * one, and has a cross with a name.
 */
export function Dialog({
  step = true,
  onBack,
  closeButtonProps,
  closeOnEscape = true,
  children,
  ...modal
}: DialogProps) {
  const t = useTexts();
  useEscape(modal.opened, () => {
    if (closeOnEscape) modal.onClose();
  });
  return (
    <Modal
      {...modal}
      closeOnEscape={false}
      // Mantine's way opens a list that opens with the focus.
      returnFocus={false}
      closeButtonProps={{ 'aria-label': t('common:actions.close'), ...closeButtonProps }}
    >
      <Within step={step} onBack={onBack ?? modal.onClose} />
      {children}
    </Modal>
  );
}
