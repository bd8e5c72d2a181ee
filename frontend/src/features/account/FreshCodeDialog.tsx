import { Button, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import {
  newKey,
  underKey,
  useBeginPasskeyConfirmationMutation,
  useFinishPasskeyConfirmationMutation,
  useGetSecondFactorQuery,
  useGiveSecondFactorCodeMutation,
} from '~/api';
import { settleFreshCode } from '~/api/freshCode';
import { askPasskey, hasPasskeys, NoPasskeyGiven } from '~/shared/lib/passkeys';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { problemText } from '~/shared/ui/problemText';
import { CodeField, codeSchema } from './CodeField';

/** Asks for a code of the second factor before a call that needs a fresh one is repeated. */
export function FreshCodeDialog() {
  const t = useTexts();
  const { data: factor } = useGetSecondFactorQuery({});
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
      {hasPasskeys() && (factor?.passkeys.length ?? 0) > 0 && <ByPasskey />}
      <CodeField />
    </FormModal>
  );
}

/** Confirms by a passkey in place of a code. */
function ByPasskey() {
  const t = useTexts();
  const [begin] = useBeginPasskeyConfirmationMutation();
  const [finish] = useFinishPasskeyConfirmationMutation();
  const [asking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState('');

  const ask = async () => {
    setAsking(true);
    setRefusal('');
    try {
      const { ceremony, options } = await begin().unwrap();
      const answer = await askPasskey(options);
      const body = { ceremony: ceremony ?? undefined, ...answer };
      await finish({ passkeyAnswerInput: underKey(body, newKey()) }).unwrap();
      settleFreshCode(true);
    } catch (thrown) {
      const none = thrown instanceof NoPasskeyGiven;
      setRefusal(none ? t('account:passkeys.notGiven') : problemText(t, asProblem(thrown)));
      setAsking(false);
    }
  };
  return (
    <>
      {refusal && (
        <Text size="sm" c="red" role="alert">
          {refusal}
        </Text>
      )}
      <Button
        variant="default"
        mih={44}
        loading={asking}
        leftSection={<IconFingerprint size={17} aria-hidden />}
        onClick={() => void ask()}
      >
        {t('account:passkeys.use')}
      </Button>
    </>
  );
}
