import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { LIMITS, newKey, underKey, useBeginPasskeyMutation, useFinishPasskeyMutation } from '~/api';
import { makePasskey } from '~/shared/lib/passkeyAnswers';
import { NoPasskeyGiven } from '~/shared/lib/passkeys';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormShell } from '~/shared/ui/form/FormShell';
import { PasswordField, TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { RecoveryCodes } from './RecoveryCodes';

const MAX_NAME = LIMITS.PasskeyInput.name;

const schema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'account:passkeys.nameRequired')
    .max(MAX_NAME, 'account:passkeys.nameTooLong'),
  password: z.string().min(1, 'common:password.required'),
});
type Values = z.input<typeof schema>;

interface PasskeyStepsProps {
  /** Called after recovery codes were shown, where there are any. */
  onDone: () => void;
}

/** Adds a passkey: name and password, the browser's own question, and the recovery codes of a first second factor. */
export function PasskeySteps({ onDone }: PasskeyStepsProps) {
  const t = useTexts();
  const [begin] = useBeginPasskeyMutation();
  const [finish] = useFinishPasskeyMutation();
  const [codes, setCodes] = useState<string[] | null>(null);
  const [given, setGiven] = useState(true);
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { name: t('account:passkeys.nameDefault'), password: '' },
    newKey,
    send: async ({ name, password }, key) => {
      setGiven(true);
      const begun = await begin({ passkeyBeginInput: underKey({ password }, newKey()) }).unwrap();
      const ceremony = begun.ceremony ?? '';
      let made: Awaited<ReturnType<typeof makePasskey>>;
      try {
        made = await makePasskey(begun.options);
      } catch (thrown) {
        if (!(thrown instanceof NoPasskeyGiven)) throw thrown;
        setGiven(false);
        return;
      }
      const { recoveryCodes } = await finish({
        passkeyInput: underKey({ ceremony, name, ...made }, key),
      }).unwrap();
      if (recoveryCodes) setCodes(recoveryCodes);
      else onDone();
    },
    stays: true,
  });
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return (
    <FormShell
      shell={shell}
      label={t('account:passkeys.add')}
      actions={
        <Group justify="flex-end">
          <Button type="submit" mih={44} loading={shell.sending}>
            {t('account:passkeys.make')}
          </Button>
        </Group>
      }
    >
      <Text size="sm">{t('account:passkeys.addMessage')}</Text>
      {!given && (
        <Text size="sm" c="red" role="alert">
          {t('account:passkeys.notMade')}
        </Text>
      )}
      <TextField<Values> name="name" label={t('account:passkeys.name')} required maxLength={MAX_NAME} />
      <PasswordField<Values>
        name="password"
        label={t('account:enrol.passwordLabel')}
        required
        autoComplete="current-password"
      />
    </FormShell>
  );
}
