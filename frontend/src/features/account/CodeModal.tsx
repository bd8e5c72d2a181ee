import { Text } from '@mantine/core';
import { newKey } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { CodeField, codeSchema } from './CodeField';

interface CodeModalProps {
  title: string;
  message: string;
  action: string;
  send: (code: string, key: string) => Promise<void>;
  onClose: () => void;
}

/** An act on the own second factor, which takes a code. */
export function CodeModal({ title, message, action, send, onClose }: CodeModalProps) {
  const t = useTexts();
  const shell = useFormShell({
    resolver: zodForm(codeSchema),
    defaults: { code: '' },
    newKey,
    send: ({ code }, key) => send(code, key),
    onSent: onClose,
  });
  return (
    <FormModal
      title={title}
      shell={shell}
      onClose={onClose}
      size="md"
      saveLabel={action}
      cancelLabel={t('common:actions.cancel')}
    >
      <Text size="sm">{message}</Text>
      <CodeField />
    </FormModal>
  );
}
