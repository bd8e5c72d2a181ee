import { Stack, Text, Title } from '@mantine/core';
import {
  newKey,
  type SecondFactorRoles,
  type SecondFactorRuleInput,
  underKey,
  useGetSecondFactorRolesQuery,
  useSetSecondFactorRolesMutation,
} from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormPage } from '~/shared/ui/form/FormPage';
import { MoneyField, SwitchField } from '~/shared/ui/form/fields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Loaded } from '~/shared/ui/Loaded';
import { useToast } from '~/shared/ui/toasts/toasts';

const schema = z.object({
  manager: z.boolean(),
  agency: z.boolean(),
  external_agent: z.boolean(),
  internal_agent: z.boolean(),
  dealer: z.boolean(),
  delivery_man: z.boolean(),
  codeFrom: z.string(),
});
type Values = z.input<typeof schema>;

const LABELS = {
  manager: 'common:roles.manager',
  agency: 'common:roles.agency',
  external_agent: 'common:roles.externalAgent',
  internal_agent: 'common:roles.internalAgent',
  dealer: 'common:roles.dealer',
  delivery_man: 'common:roles.deliveryMan',
} as const;
const NAMES = Object.keys(LABELS) as (keyof typeof LABELS)[];

/** Which roles need a second factor to log in, and which movements ask for a code of it. */
export function RolesForm() {
  const query = useGetSecondFactorRolesQuery();
  return <Loaded query={query}>{(rule) => <Form rule={rule} />}</Loaded>;
}

function Form({ rule }: { rule: SecondFactorRoles }) {
  const t = useTexts();
  const toast = useToast();
  const [set] = useSetSecondFactorRolesMutation();
  const named = (roles: unknown) =>
    NAMES.filter((name) => Array.isArray(roles) && roles.includes(name)).map((name) => t(LABELS[name]));
  const edits = useChanges(
    () => ({ roles: NAMES.filter((name) => rule.roles.includes(name)), codeFrom: rule.codeFrom ?? null }),
    (field, now) => (field === 'roles' ? named(now).join(', ') || t('common:changed.empty') : null),
  );
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: {
      ...(Object.fromEntries(NAMES.map((name) => [name, rule.roles.includes(name)])) as Omit<
        Values,
        'codeFrom'
      >),
      codeFrom: rule.codeFrom ?? '',
    },
    newKey,
    stays: true,
    send: async (values, key) => {
      const roles = NAMES.filter((name) => values[name]);
      const codeFrom = values.codeFrom || null;
      await edits.send(edits.changed({ roles, codeFrom }), (changes) => {
        const secondFactorRuleInput = underKey({ ...changes } as SecondFactorRuleInput, key);
        return set({ secondFactorRuleInput }).unwrap();
      });
      toast('good', t('account:roles.saved'));
    },
  });
  return (
    <FormPage label={t('account:roles.title')} shell={shell} width={640}>
      <Title order={2} size="h4">
        {t('account:roles.title')}
      </Title>
      <Text size="sm">{t('account:roles.message')}</Text>
      <Stack gap="xs">
        {NAMES.map((name) => (
          <SwitchField<Values> key={name} name={name} label={t(LABELS[name])} />
        ))}
      </Stack>
      <MoneyField<Values>
        name="codeFrom"
        label={t('account:roles.codeFrom')}
        description={t('account:roles.codeFromHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        currency="USD"
      />
    </FormPage>
  );
}
