import { Text, Title } from '@mantine/core';
import {
  type LoginOptions,
  newKey,
  type PasswordKind,
  type PasswordPolicyInput,
  underKey,
  useGetLoginOptionsQuery,
  useSetPasswordPolicyMutation,
} from '~/api';
import { setPasswordPolicy } from '~/shared/lib/password';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormPage } from '~/shared/ui/form/FormPage';
import { SelectField } from '~/shared/ui/form/fields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Loaded } from '~/shared/ui/Loaded';
import { useToast } from '~/shared/ui/toasts/toasts';

const POLICIES = ['composed', 'long'] as const satisfies readonly PasswordKind[];
const schema = z.object({ policy: z.enum(POLICIES) });
type Values = z.input<typeof schema>;

/** What new passwords of everybody in the business must be. */
export function PasswordPolicyForm() {
  const query = useGetLoginOptionsQuery();
  return <Loaded query={query}>{({ passwords }) => <Form passwords={passwords} />}</Loaded>;
}

function Form({ passwords }: Pick<LoginOptions, 'passwords'>) {
  const t = useTexts();
  const toast = useToast();
  const [set] = useSetPasswordPolicyMutation();
  const edits = useChanges(
    () => ({ policy: passwords.policy }),
    (_, now) => POLICIES.map((own) => (own === now ? t(`users:policy.${own}`) : '')).join('') || null,
  );
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { policy: passwords.policy },
    newKey,
    stays: true,
    send: async ({ policy }, key) => {
      await edits.send({ policy }, async (changes) => {
        const passwordPolicyInput = underKey({ ...changes } as PasswordPolicyInput, key);
        setPasswordPolicy(await set({ passwordPolicyInput }).unwrap());
      });
      toast('good', t('users:policy.saved'));
    },
  });
  return (
    <FormPage label={t('users:policy.title')} shell={shell} width={520}>
      <Title order={2} size="h4">
        {t('users:policy.title')}
      </Title>
      <Text size="sm">{t('users:policy.message')}</Text>
      <SelectField<Values>
        name="policy"
        label={t('users:policy.label')}
        required
        data={POLICIES.map((policy) => ({ value: policy, label: t(`users:policy.${policy}`) }))}
      />
    </FormPage>
  );
}
