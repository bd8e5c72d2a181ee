import { Stack, Tabs, Text, Title } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import {
  newKey,
  PAYMENT_GROUP_TYPE,
  type ProfilePaymentGroup,
  underKey,
  useProfile,
  useSetAgencyTermsMutation,
  useSetAgentTermsMutation,
} from '~/api';
import { requiredText } from '~/entities/limits';
import { CommissionFields } from '~/entities/sellers/CommissionFields';
import {
  commissionBody,
  commissionFields,
  commissionValues,
  missingFloor,
} from '~/entities/sellers/commission';
import { formatDecimal } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Empty } from '~/shared/ui/Empty';
import { FormPage } from '~/shared/ui/form/FormPage';
import { TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { PageHeader } from '~/shared/ui/PageHeader';
import { useToast } from '~/shared/ui/toasts/toasts';

/** Currencies with a tab even where the party sells none; the others that it sells follow. */
const CURRENCIES = ['USD', 'CUP', 'EUR'];

const schema = z.object({ name: requiredText('name'), ...commissionFields }).check(({ value, issues }) => {
  const missing = missingFloor(value);
  if (missing)
    issues.push({ code: 'custom', path: [missing], message: 'common:errors.required', input: value });
});
type Values = z.input<typeof schema>;

/** One's own commission on one group. */
function UtilityForm({ group }: { group: ProfilePaymentGroup }) {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const { id, role } = useProfile();
  // Its own terms: an agency's, or else an external agent's.
  const agency = role === 'agency';
  const [setAgency] = useSetAgencyTermsMutation();
  const [setAgent] = useSetAgentTermsMutation();
  const read = {
    name: group.groupName,
    ...commissionValues(agency ? group.agencyCommission : group.agentCommission),
  };
  const bodyOf = ({ name, ...commission }: Values) => ({ name, ...commissionBody(commission) });
  const edits = useChanges(() => bodyOf(read));
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: read,
    newKey,
    stays: true,
    send: async (values, key) => {
      await edits.send(edits.changed(bodyOf(values)), (changes) => {
        const body = {
          ...changes,
          paymentGroupId: group.paymentGroupId ?? '',
          currencyFrom: group.currencyFrom,
          currencyTo: group.currencyTo,
          type: PAYMENT_GROUP_TYPE.own,
        };
        const call = { id, termsInput: underKey(body, key) };
        return (agency ? setAgency(call) : setAgent(call)).unwrap();
      });
      toast('good', t('entities:terms.saved'));
    },
  });
  return (
    <section>
      <Title order={2} size="h4" mb={2}>
        {group.groupName}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('users:utilities.rate', {
          rate: group.exchangeRate ? formatDecimal(group.exchangeRate, locale) : '–',
          currency: group.currencyTo,
        })}
      </Text>
      <FormPage label={group.groupName} shell={shell} width={720}>
        <TextField<Values> name="name" label={t('users:utilities.name')} required autoComplete="off" />
        <CommissionFields<Values> />
      </FormPage>
    </section>
  );
}

/** The utilities editor: what an agency or external agent earns, by currency. */
export default function UtilitiesPage() {
  const t = useTexts();
  const { paymentGroups } = useProfile();
  const [params, setParams] = useSearchParams();
  const others = paymentGroups.map(({ currencyTo }) => currencyTo);
  const currencies = [...new Set([...CURRENCIES, ...others])];
  const shown = currencies.find((one) => one === params.get('tab')) ?? currencies[0] ?? 'USD';
  const groups = paymentGroups.filter((group) => group.currencyTo === shown && group.paymentGroupId);
  return (
    <>
      <PageHeader title={t('common:menu.utilities')} />
      <Text c="dimmed" mb="md" maw={720}>
        {t('users:utilities.help')}
      </Text>
      <Tabs
        value={shown}
        onChange={(tab) => setParams(tab && tab !== currencies[0] ? { tab } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List aria-label={t('users:utilities.currencies')} mb="md">
          {currencies.map((currency) => (
            <Tabs.Tab key={currency} value={currency}>
              {currency}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown}>
          <Stack gap="xl">
            {groups.length === 0 && (
              <Empty
                icon={IconCoins}
                title={t('users:utilities.none', { currency: shown })}
                hint={t('users:utilities.noneHint')}
              />
            )}
            {groups.map((group) => (
              <UtilityForm key={group.paymentGroupId} group={group} />
            ))}
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
