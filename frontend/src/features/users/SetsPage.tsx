import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconEdit, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import {
  may,
  type OfficePermissionSet,
  underKey,
  useListPermissionSetsQuery,
  useProfile,
  useRemovePermissionSetMutation,
} from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Facts } from '~/shared/ui/Facts';
import { Loaded } from '~/shared/ui/Loaded';
import { PageHeader } from '~/shared/ui/PageHeader';
import { RowActions } from '~/shared/ui/table/RowActions';
import { AREAS, setName } from './office';
import { SetModal } from './SetModal';

/** What a set allows, in words: an area that it allows nothing in is left out. */
function Allowed({ set }: { set: OfficePermissionSet }) {
  const t = useTexts();
  const facts = AREAS.filter((area) => set.reads.includes(area)).map((area) => {
    const read = t(`users:areas.${area}.read`);
    const says = set.writes.includes(area) ? `${read}. ${t(`users:areas.${area}.write`)}` : read;
    return { label: t(`users:areas.${area}.name`), value: says };
  });
  return <Facts facts={facts} />;
}

/** Permission sets of the office: the templates, and the tenant's own. */
export default function SetsPage() {
  const t = useTexts();
  const { role } = useProfile();
  const query = useListPermissionSetsQuery();
  const [remove] = useRemovePermissionSetMutation();
  const [editing, setEditing] = useState<OfficePermissionSet | 'new' | null>(null);
  const [removing, setRemoving] = useState<OfficePermissionSet | null>(null);
  return (
    <>
      <PageHeader title={t('common:menu.permissionSets')}>
        {may.addPermissionSet.includes(role) && (
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setEditing('new')}>
            {t('users:sets.new')}
          </Button>
        )}
      </PageHeader>
      <Text size="sm" mb="md">
        {t('users:sets.message')}
      </Text>
      <Loaded query={query}>
        {({ results }) => (
          <Stack gap="md">
            {results.map((set) => (
              <Paper key={set.id} withBorder component="section" p="md" aria-label={setName(t, set)}>
                <Group justify="space-between" mb="xs">
                  <Group gap="sm">
                    <Title order={2} size="h4">
                      {setName(t, set)}
                    </Title>
                    <Badge variant="default">
                      {t(set.isTemplate ? 'users:sets.template' : 'users:sets.own')}
                    </Badge>
                    <Text size="sm" c="dimmed">
                      {t('users:sets.members', { count: set.members })}
                    </Text>
                  </Group>
                  {!set.isTemplate && set.mayGive && may.changePermissionSet.includes(role) && (
                    <RowActions
                      name={setName(t, set)}
                      actions={[
                        {
                          icon: IconEdit,
                          label: t('common:actions.edit'),
                          onClick: () => setEditing(set),
                        },
                        {
                          icon: IconTrash,
                          label: t('common:actions.delete'),
                          danger: true,
                          onClick: () => setRemoving(set),
                        },
                      ]}
                    />
                  )}
                </Group>
                <Allowed set={set} />
              </Paper>
            ))}
          </Stack>
        )}
      </Loaded>
      {editing && <SetModal set={editing === 'new' ? undefined : editing} onClose={() => setEditing(null)} />}
      {removing && (
        <ConfirmAct
          title={t('users:sets.remove')}
          message={t('users:sets.removeMessage')}
          facts={[{ label: t('users:sets.name'), value: setName(t, removing) }]}
          confirmLabel={t('users:sets.remove')}
          danger
          act={(key) => remove(underKey({ id: removing.id }, key)).unwrap()}
          done={t('users:sets.removed')}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  );
}
