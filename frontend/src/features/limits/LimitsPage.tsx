import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconEdit, IconGauge, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type LimitRule,
  may,
  underKey,
  useListLimitRulesQuery,
  useListPaymentGroupsQuery,
  useProfile,
  useRemoveLimitRuleMutation,
} from '~/api';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Empty } from '~/shared/ui/Empty';
import { Loaded } from '~/shared/ui/Loaded';
import { PageHeader } from '~/shared/ui/PageHeader';
import { RowActions } from '~/shared/ui/table/RowActions';
import { LimitModal } from './LimitModal';
import { outcomeName, ruleInWords } from './words';

/** The rules of limits, each as sentences. */
export default function LimitsPage() {
  const t = useTexts();
  const locale = useLocale();
  const { role } = useProfile();
  const query = useListLimitRulesQuery();
  const { data: groups } = useListPaymentGroupsQuery({});
  const [remove] = useRemoveLimitRuleMutation();
  const [editing, setEditing] = useState<LimitRule | 'new' | null>(null);
  const [removing, setRemoving] = useState<LimitRule | null>(null);
  const mayChange = may.addLimitRule.includes(role);
  const groupName = (id: string) => groups?.data.find((group) => group.id === id)?.name ?? id;
  const inWords = (rule: LimitRule) => ruleInWords(t, locale, rule, groupName);
  return (
    <>
      <PageHeader title={t('common:menu.limits')}>
        {mayChange && (
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setEditing('new')}>
            {t('limits:new')}
          </Button>
        )}
      </PageHeader>
      <Text size="sm" mb="md">
        {t('limits:message')}
      </Text>
      <Loaded query={query}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty icon={IconGauge} title={t('limits:none')} />
          ) : (
            <Stack gap="md">
              {results.map((rule) => (
                <Paper
                  key={rule.id}
                  withBorder
                  component="section"
                  p="md"
                  aria-label={outcomeName(t, rule.outcome)}
                >
                  <Group justify="space-between" mb="xs" wrap="nowrap">
                    <Title order={2} size="h4">
                      {outcomeName(t, rule.outcome)}
                    </Title>
                    {mayChange && (
                      <RowActions
                        name={outcomeName(t, rule.outcome)}
                        actions={[
                          {
                            icon: IconEdit,
                            label: t('common:actions.edit'),
                            onClick: () => setEditing(rule),
                          },
                          {
                            icon: IconTrash,
                            label: t('common:actions.remove'),
                            danger: true,
                            onClick: () => setRemoving(rule),
                          },
                        ]}
                      />
                    )}
                  </Group>
                  <Text size="sm">{inWords(rule)}</Text>
                </Paper>
              ))}
            </Stack>
          )
        }
      </Loaded>
      {editing && (
        <LimitModal
          rule={editing === 'new' ? undefined : editing}
          groups={groups?.data ?? []}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <ConfirmAct
          title={t('limits:remove')}
          message={t('limits:removeMessage')}
          facts={[{ label: outcomeName(t, removing.outcome), value: inWords(removing) }]}
          confirmLabel={t('common:actions.remove')}
          danger
          act={(key) => remove(underKey({ id: removing.id }, key)).unwrap()}
          done={t('limits:removed')}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  );
}
