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
  /** What is done, to whom, and how much. */
  facts: Fact[];
  confirmLabel: string;
  danger?: boolean;
  busy?: boolean;
  /** False while what is confirmed is not on the screen yet. */
  ready?: boolean;
  /** Left out when the children are a form that the button submits. */
  onConfirm?: () => void;
  /** Id of the form that the button submits. */
  form?: string;
  onClose: () => void;
  /** False where it is no step of the history (`Dialog`). */
  step?: boolean;
  /** False while a question stands above it, which Escape answers. */
  closeOnEscape?: boolean;
  /** False while a stray tap would lose something. */
  closeOnClickOutside?: boolean;
  /** What the other button says and does, where it is not simply "back". */
  backLabel?: string;
  onBack?: () => void;
  children?: ReactNode;
}

/** Asks before money moves or something goes: what, who and how much stand above the button. */
export function Confirm(props: ConfirmProps) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  // With nothing to fill in or to read before, Enter confirms. Children may be there and render nothing.
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
      closeOnEscape={props.closeOnEscape}
      closeOnClickOutside={props.closeOnClickOutside}
    >
      <Stack gap="md">
        <Facts facts={props.facts} />
        {props.children}
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
