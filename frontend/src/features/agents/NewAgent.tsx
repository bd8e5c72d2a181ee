import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useController } from 'react-hook-form';
import { useNavigate } from 'react-router';
import {
  AGENT_TYPE,
  newKey,
  SEE_ALL_AGENCIES,
  underKey,
  useCreateAgentMutation,
  useListAgenciesQuery,
  useProfile,
} from '~/api';
import { NewTerms } from '~/entities/sellers/NewTerms';
import { termsBodies } from '~/entities/sellers/newSeller';
import { SellerFields } from '~/entities/sellers/SellerFields';
import { sellerBody } from '~/entities/sellers/sellerForm';
import { useTexts } from '~/shared/lib/texts';
import { FormPage } from '~/shared/ui/form/FormPage';
import { FormTabs } from '~/shared/ui/form/FormTabs';
import { SelectField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { namedOptions } from '~/shared/ui/table/FilterSelect';
import { useToast } from '~/shared/ui/toasts/toasts';
import { emptyAgent, type NewAgentValues, newAgentSchema, readAgentType } from './agentForm';

const DATA_FIELDS = Object.keys(emptyAgent(null)).filter((field) => field !== 'terms');

/** Makes an agent, its login and, of an external one, its terms. */
export function NewAgent({ agencyId }: { agencyId: string | null }) {
  const t = useTexts();
  const toast = useToast();
  const navigate = useNavigate();
  const { role, id } = useProfile();
  const choosesAgency = SEE_ALL_AGENCIES.includes(role);
  const [create] = useCreateAgentMutation();
  const { data: agencies } = useListAgenciesQuery({ recordsPerPage: 0 }, { skip: !choosesAgency });
  const shell = useFormShell({
    resolver: zodForm(newAgentSchema),
    defaults: emptyAgent(choosesAgency ? agencyId : id),
    newKey,
    onSent: () => void navigate('/agent/list'),
    fieldNames: { paymentGroups: 'terms' },
    send: async ({ terms, agentType, agencyId: agency, ...data }, key) => {
      const external = readAgentType(agentType) === AGENT_TYPE.external;
      const body = {
        ...sellerBody(data),
        password: data.password,
        agentType: readAgentType(agentType),
        agencyId: agency,
        paymentGroups: external ? termsBodies('agent', terms) : [],
      };
      await create({ agentInput: underKey(body, key) }).unwrap();
      toast('good', t('agents:done.added'));
    },
  });
  const { form } = shell;
  const { field } = useController({ control: form.control, name: 'terms' });
  const [type, agency] = form.watch(['agentType', 'agencyId']);
  const external = readAgentType(type) === AGENT_TYPE.external;

  return (
    <FormPage label={t('common:menu.newAgent')} shell={shell} back="/agent/list">
      <FormTabs
        label={t('common:menu.newAgent')}
        tabs={[
          {
            value: 'data',
            label: t('entities:tabs.data'),
            fields: DATA_FIELDS,
            content: (
              <Stack gap="sm">
                <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
                  <SelectField<NewAgentValues>
                    name="agentType"
                    label={t('agents:form.type')}
                    allowDeselect={false}
                    data={[
                      { value: String(AGENT_TYPE.external), label: t('common:roles.externalAgent') },
                      { value: String(AGENT_TYPE.internal), label: t('common:roles.internalAgent') },
                    ]}
                  />
                  {choosesAgency && (
                    <SelectField<NewAgentValues>
                      name="agencyId"
                      label={t('agents:form.agency')}
                      placeholder={external ? t('agents:form.noAgency') : undefined}
                      required={!external}
                      clearable
                      searchable
                      data={namedOptions(agencies?.data.filter(({ isActive }) => isActive))}
                      // Groups of another agency are none of this one's.
                      onChange={() => form.setValue('terms', [])}
                    />
                  )}
                </SimpleGrid>
                <SellerFields isNew />
              </Stack>
            ),
          },
          {
            value: 'terms',
            label: t('entities:tabs.terms'),
            fields: ['terms'],
            content: external ? (
              <NewTerms
                key={agency ?? ''}
                kind="agent"
                agencyId={agency}
                value={field.value}
                onChange={field.onChange}
              />
            ) : (
              <Alert icon={<IconInfoCircle size={18} aria-hidden />} variant="light">
                {t('agents:form.internalTerms')}
              </Alert>
            ),
          },
        ]}
      />
    </FormPage>
  );
}
