import { Button, Code, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import {
  newKey,
  type SignOnProviderInput,
  type SignOnSettings,
  underKey,
  useGetSignOnQuery,
  useRemoveSignOnMutation,
  useSetSignOnMutation,
} from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { FormPage } from '~/shared/ui/form/FormPage';
import { SwitchField } from '~/shared/ui/form/fields';
import { PasswordField, TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Loaded } from '~/shared/ui/Loaded';
import { PageHeader } from '~/shared/ui/PageHeader';
import { useToast } from '~/shared/ui/toasts/toasts';

const required = z.string().trim().min(1, 'common:errors.required');
const schema = z.object({
  issuer: required,
  clientId: required,
  clientSecret: z.string(),
  isEnabled: z.boolean(),
});
type Values = z.input<typeof schema>;

/** The business's provider of single sign-on. */
export default function SignOnSettingsPage() {
  const t = useTexts();
  const query = useGetSignOnQuery();
  const [ending, setEnding] = useState(false);
  const [remove] = useRemoveSignOnMutation();
  return (
    <>
      <PageHeader title={t('common:menu.signOn')}>
        {query.data?.issuer && (
          <Button
            variant="default"
            leftSection={<IconTrash size={17} aria-hidden />}
            onClick={() => setEnding(true)}
          >
            {t('account:signOn.remove')}
          </Button>
        )}
      </PageHeader>
      <Loaded query={query}>{(settings) => <Form key={settings.issuer ?? ''} settings={settings} />}</Loaded>
      {ending && (
        <ConfirmAct
          title={t('account:signOn.remove')}
          message={t('account:signOn.removeMessage')}
          facts={[{ label: t('account:signOn.issuer'), value: query.data?.issuer ?? '–' }]}
          confirmLabel={t('account:signOn.remove')}
          danger
          act={() => remove().unwrap()}
          done={t('account:signOn.removed')}
          onClose={() => setEnding(false)}
        />
      )}
    </>
  );
}

function Form({ settings }: { settings: SignOnSettings }) {
  const t = useTexts();
  const toast = useToast();
  const [set] = useSetSignOnMutation();
  const edits = useChanges(() => ({
    issuer: settings.issuer,
    clientId: settings.clientId,
    isEnabled: settings.issuer ? settings.isEnabled : null,
  }));
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: {
      issuer: settings.issuer ?? '',
      clientId: settings.clientId ?? '',
      clientSecret: '',
      isEnabled: settings.issuer ? settings.isEnabled : true,
    },
    newKey,
    stays: true,
    send: async ({ clientSecret, ...values }, key) => {
      await edits.send(edits.changed(values), (changes) => {
        const body = { ...changes, ...(clientSecret && { clientSecret }) } as SignOnProviderInput;
        return set({ signOnProviderInput: underKey(body, key) }).unwrap();
      });
      shell.form.setValue('clientSecret', '');
      toast('good', t('account:signOn.saved'));
    },
  });
  return (
    <FormPage label={t('common:menu.signOn')} shell={shell} width={640}>
      <Text size="sm">{t('account:signOn.message')}</Text>
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          {t('account:signOn.redirect')}
        </Text>
        <Code block>{`${window.location.origin}${settings.returnPath}`}</Code>
      </Stack>
      <TextField<Values> name="issuer" label={t('account:signOn.issuer')} required autoComplete="off" />
      <TextField<Values> name="clientId" label={t('account:signOn.clientId')} required autoComplete="off" />
      <PasswordField<Values>
        name="clientSecret"
        label={t('account:signOn.secret')}
        description={settings.issuer ? t('account:signOn.secretStays') : undefined}
        autoComplete="off"
      />
      <SwitchField<Values> name="isEnabled" label={t('account:signOn.enabled')} />
    </FormPage>
  );
}
