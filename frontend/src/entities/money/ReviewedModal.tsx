import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type BaseSyntheticEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { Preview } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Dialog } from '~/shared/ui/Dialog';
import { type Fact, Facts } from '~/shared/ui/Facts';
import { FormShell } from '~/shared/ui/form/FormShell';
import type { FormShellState } from '~/shared/ui/form/useFormShell';
import { useWayOut } from '~/shared/ui/form/useWayOut';
import { Effect } from './Effect';

interface ReviewedModalProps<Values extends FieldValues, Output extends FieldValues> {
  title: string;
  shell: FormShellState<Values, Output>;
  /** Preview of the write before the review; a refusal shows at its field. */
  preview?: (values: Output) => Promise<Preview>;
  /** Facts of the review, from fields and preview. */
  review: (values: Output, preview?: Preview) => Fact[];
  confirmLabel: string;
  danger?: boolean;
  size?: 'md' | 'lg';
  onClose: () => void;
  children: ReactNode;
}

/**
 * Form with a review step for moving money; a refusal returns to its field. What a rule of approvals covers is proposed:
 * the review says which rule asks. The postings are folded below.
 */
export function ReviewedModal<Values extends FieldValues, Output extends FieldValues>(
  props: ReviewedModalProps<Values, Output>,
) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  const { shell } = props;
  const [facts, setFacts] = useState<Fact[] | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [asking, setAsking] = useState(false);
  const confirm = useRef<HTMLButtonElement>(null);
  const { form } = shell;

  // Focus moves to the confirming button, which replaced the focused one.
  useEffect(() => {
    if (facts) confirm.current?.focus();
  }, [facts]);

  const goOn = form.handleSubmit(async (values) => {
    if (asking) return;
    setAsking(true);
    shell.dismiss();
    try {
      const told = await props.preview?.(values);
      setPreview(told ?? null);
      setFacts(props.review(values, told));
    } catch (refused) {
      await shell.refusePreview(refused, values);
    } finally {
      setAsking(false);
    }
  });
  const send = async (event?: BaseSyntheticEvent) => {
    await shell.submit(event);
    // After success the dialog is gone; after a refusal the fields show it.
    setFacts(null);
  };
  const { leave, beside, ...closing } = useWayOut(shell, props.onClose);

  return (
    <>
      <Dialog
        step={false}
        opened
        onClose={leave}
        title={props.title}
        size={props.size ?? 'md'}
        fullScreen={phone}
        {...closing}
      >
        <FormShell
          shell={{ ...shell, submit: facts ? send : goOn }}
          label={props.title}
          sticky
          actions={
            <Group justify="flex-end" gap="sm">
              <Button
                variant="default"
                onClick={facts ? () => setFacts(null) : leave}
                disabled={shell.sending}
              >
                {facts ? t('common:actions.back') : t('common:actions.cancel')}
              </Button>
              <Button
                key={facts ? 'send' : 'review'}
                ref={facts ? confirm : undefined}
                type="submit"
                color={facts && props.danger ? 'red' : undefined}
                loading={shell.sending || asking}
              >
                {!facts
                  ? t('entities:money.review')
                  : preview?.approval
                    ? t('entities:approval.propose')
                    : props.confirmLabel}
              </Button>
            </Group>
          }
        >
          {/* The fields stay: what was typed, and where the server's refusal goes, is theirs. */}
          <div hidden={facts !== null} style={{ display: facts ? 'none' : 'contents' }}>
            {props.children}
          </div>
          {facts && <Facts facts={facts} />}
          {facts && <Effect preview={preview} />}
        </FormShell>
      </Dialog>
      {beside}
    </>
  );
}
