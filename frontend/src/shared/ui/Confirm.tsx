import { Button, Group, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Children, type ReactNode } from 'react';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from './breakpoints';
import classes from './Confirm.module.css';
import { Dialog } from './Dialog';
import { type Fact, Facts } from './Facts';

interface ConfirmProps {
  opened: boolean;
  title: string;
  /** The action, its object, and the amount. */
  facts: Fact[];
  confirmLabel: string;
  danger?: boolean;
  busy?: boolean;
  /** False until the confirmed figures are on the screen. */
  ready?: boolean;
  /** Absent if the children are a form that the button submits. */
  onConfirm?: () => void;
  /** Id of the form that the button submits. */
  form?: string;
  onClose: () => void;
  /** False where it is no step of the history (`Dialog`). */
  step?: boolean;
  /** False if an accidental tap would lose input. */
  closeOnClickOutside?: boolean;
  /** Label of the other button; "back" by default. */
  backLabel?: string;
  onBack?: () => void;
  /** Below the facts; nothing that must be read before. */
  aside?: ReactNode;
  children?: ReactNode;
}

/**
 * Confirmation dialog for money movements and deletions, with the action, its object and the amount above the
 * button.
 */
export function Confirm(props: ConfirmProps) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  // Without fields or text to read, Enter confirms. Children may be present and render nothing.
  const nothingBefore = Children.toArray(props.children).length === 0;
  return (
    <Dialog
      opened={props.opened}
      step={props.step}
      onClose={props.busy ? () => undefined : props.onClose}
      onBack={props.onClose}
      title={props.title}
      fullScreen={phone}
      centered
      closeOnClickOutside={props.closeOnClickOutside}
    >
      <Stack gap="md">
        <Facts facts={props.facts} />
        {props.children}
        {props.aside}
        <Group justify="flex-end" gap="sm" mt="xs" className={classes.foot}>
          <Button variant="default" onClick={props.onBack ?? props.onClose} disabled={props.busy}>
            {props.backLabel ?? t('common:actions.back')}
          </Button>
          <Button
            color={props.danger ? 'red' : undefined}
            loading={props.busy}
            disabled={props.ready === false}
            type={props.form ? 'submit' : 'button'}
            form={props.form}
            onClick={props.onConfirm}
            data-autofocus={nothingBefore ? true : undefined}
          >
            {props.confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
