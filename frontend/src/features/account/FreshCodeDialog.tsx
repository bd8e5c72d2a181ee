import { Text } from '@mantine/core';
import { newKey, underKey, useGiveSecondFactorCodeMutation } from '~/api';
import { settleFreshCode } from '~/api/freshCode';
import { useTexts } from '~/shared/lib/texts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { CodeField, codeSchema } from './CodeField';

/** Asks for a code of the second factor before a call that needs a fresh one is repeated. */
export function FreshCodeDialog() {
  const t = useTexts();
  const [give] = useGiveSecondFactorCodeMutation();
  const shell = useFormShell({
    resolver: zodForm(codeSchema),
    defaults: { code: '' },
    newKey,
    send: async ({ code }, key) => {
      await give({ secondFactorCodeInput: underKey({ code }, key) }).unwrap();
    },
    onSent: () => settleFreshCode(true),
  });
  return (
    <FormModal
      title={t('account:fresh.title')}
      shell={shell}
      onClose={() => settleFreshCode(false)}
      size="md"
      saveLabel={t('account:fresh.action')}
    >
      <Text size="sm">{t('account:fresh.message')}</Text>
      <CodeField />
    </FormModal>
  );
}
