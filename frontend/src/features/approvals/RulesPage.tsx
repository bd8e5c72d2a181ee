import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconEdit, IconListCheck, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type ApprovalRule,
  may,
  underKey,
  useListApprovalRulesQuery,
  useProfile,
  useRemoveApprovalRuleMutation,
} from '~/api';
import { kindName } from '~/entities/approvals';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Empty } from '~/shared/ui/Empty';
import { Loaded } from '~/shared/ui/Loaded';
import { PageHeader } from '~/shared/ui/PageHeader';
import { RowActions } from '~/shared/ui/table/RowActions';
import { RuleModal } from './RuleModal';
import { ruleInWords } from './words';

/** The rules of approvals, each as a sentence. */
export default function RulesPage() {
  const t = useTexts();
  const locale = useLocale();
  const { role } = useProfile();
  const query = useListApprovalRulesQuery();
  const [remove] = useRemoveApprovalRuleMutation();
  const [editing, setEditing] = useState<ApprovalRule | 'new' | null>(null);
  const [removing, setRemoving] = useState<ApprovalRule | null>(null);
  const mayChange = may.addApprovalRule.includes(role);
  return (
    <>
      <PageHeader title={t('common:menu.approvalRules')}>
        {mayChange && (
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setEditing('new')}>
            {t('approvals:rules.new')}
          </Button>
        )}
      </PageHeader>
      <Text size="sm" mb="md">
        {t('approvals:rules.message')}
      </Text>
      <Loaded query={query}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty icon={IconListCheck} title={t('approvals:rules.none')} />
          ) : (
            <Stack gap="md">
              {results.map((rule) => (
                <Paper
                  key={rule.id}
                  withBorder
                  component="section"
                  p="md"
                  aria-label={kindName(t, rule.kind)}
                >
                  <Group justify="space-between" mb="xs" wrap="nowrap">
                    <Title order={2} size="h4">
                      {kindName(t, rule.kind)}
                    </Title>
                    {mayChange && (
                      <RowActions
                        name={kindName(t, rule.kind)}
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
                  <Text size="sm">{ruleInWords(t, locale, rule)}</Text>
                </Paper>
              ))}
            </Stack>
          )
        }
      </Loaded>
      {editing && (
        <RuleModal rule={editing === 'new' ? undefined : editing} onClose={() => setEditing(null)} />
      )}
      {removing && (
        <ConfirmAct
          title={t('approvals:rules.remove')}
          message={t('approvals:rules.removeMessage')}
          facts={[{ label: kindName(t, removing.kind), value: ruleInWords(t, locale, removing) }]}
          confirmLabel={t('common:actions.remove')}
          danger
          act={(key) => remove(underKey({ id: removing.id }, key)).unwrap()}
          done={t('approvals:rules.removed')}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  );
}
