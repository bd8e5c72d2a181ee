import { Button, Group, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type BaseSyntheticEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Confirm } from '~/shared/ui/Confirm';
import { type Fact, Facts } from '~/shared/ui/Facts';
import { FormShell } from '~/shared/ui/form/FormShell';
import { UnsavedGuard } from '~/shared/ui/form/UnsavedGuard';
import type { FormShellState } from '~/shared/ui/form/useFormShell';

interface ReviewedModalProps<Values extends FieldValues, Output extends FieldValues> {
  title: string;
  shell: FormShellState<Values, Output>;
  /** What, who and how much, of what the fields hold. */
  review: (values: Output) => Fact[];
  confirmLabel: string;
  danger?: boolean;
  size?: 'md' | 'lg';
  onClose: () => void;
  children: ReactNode;
}

/**
 * A form that moves money: what was typed is read back before it is sent, and what the server refuses stands at
 * its field again.
 */
export function ReviewedModal<Values extends FieldValues, Output extends FieldValues>(
  props: ReviewedModalProps<Values, Output>,
) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  const { shell } = props;
  const [facts, setFacts] = useState<Fact[] | null>(null);
  const [leaving, setLeaving] = useState(false);
  const confirm = useRef<HTMLButtonElement>(null);
  const { form } = shell;

  // The button that went on was replaced by the one that confirms: the focus goes on with it.
  useEffect(() => {
    if (facts) confirm.current?.focus();
  }, [facts]);

  const goOn = form.handleSubmit((values) => setFacts(props.review(values)));
  const send = async (event?: BaseSyntheticEvent) => {
    await shell.submit(event);
    // Sent, the dialog is gone; refused, the fields say why.
    setFacts(null);
  };
  const close = () => {
    if (shell.sending) return;
    if (shell.unsaved) setLeaving(true);
    else props.onClose();
  };

  return (
    <>
      <Modal
        opened
        onClose={close}
        title={props.title}
        size={props.size ?? 'md'}
        fullScreen={phone}
        closeOnClickOutside={!shell.unsaved}
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      >
        <FormShell shell={{ ...shell, submit: facts ? send : goOn }} label={props.title}>
          {/* The fields stay: what was typed, and where the server's refusal goes, is theirs. */}
          <div hidden={facts !== null} style={{ display: facts ? 'none' : 'contents' }}>
            {props.children}
          </div>
          {facts && <Facts facts={facts} />}
          <Group justify="flex-end" gap="sm" mt="xs">
            <Button variant="default" onClick={facts ? () => setFacts(null) : close} disabled={shell.sending}>
              {facts ? t('common:actions.back') : t('common:actions.cancel')}
            </Button>
            <Button
              key={facts ? 'send' : 'review'}
              ref={facts ? confirm : undefined}
              type="submit"
              color={facts && props.danger ? 'red' : undefined}
              loading={shell.sending}
            >
              {facts ? props.confirmLabel : t('entities:money.review')}
            </Button>
          </Group>
        </FormShell>
      </Modal>
      {/* Only while there is something to lose: the router asks the newest guard alone. */}
      {shell.unsaved && <UnsavedGuard unsaved inDialog />}
      <Confirm
        opened={leaving}
        title={t('common:unsaved.title')}
        facts={[]}
        danger
        confirmLabel={t('common:unsaved.leave')}
        onConfirm={props.onClose}
        onClose={() => setLeaving(false)}
      >
        {t('common:unsaved.message')}
      </Confirm>
    </>
  );
}
