import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconHistory, IconPlus, IconTrash, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import {
  may,
  type ScreeningListView,
  type ScreeningView,
  underKey,
  useListOwnScreeningListVersionsQuery,
  useProfile,
  useRemoveOwnScreeningListMutation,
} from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Dialog } from '~/shared/ui/Dialog';
import { Loaded } from '~/shared/ui/Loaded';
import { RowActions } from '~/shared/ui/table/RowActions';
import { LoadListModal } from './LoadListModal';

/** The lists of the business itself: loading, versions and removal. */
export function OwnListsModal({ screening, onClose }: { screening: ScreeningView; onClose: () => void }) {
  const t = useTexts();
  const locale = useLocale();
  const { role, timeZone } = useProfile();
  const [remove] = useRemoveOwnScreeningListMutation();
  const [loading, setLoading] = useState<string | null>(null);
  const [versionsOf, setVersionsOf] = useState<string | null>(null);
  const [removing, setRemoving] = useState<ScreeningListView | null>(null);
  const mayChange = may.loadOwnScreeningList.includes(role);
  const own = screening.lists.filter(({ managed }) => managed);
  const facts = (list: ScreeningListView) =>
    list.loaded
      ? t('screening:lists.facts', {
          entries: formatCount(list.entries, locale),
          version: list.version,
          loaded: list.loadedAt ? formatDateTime(list.loadedAt, locale, timeZone) : '–',
        })
      : t('screening:lists.missing');
  return (
    <>
      <Dialog opened onClose={onClose} title={t('screening:own.title')} size="lg">
        <Stack gap="md">
          <Text size="sm">{t('screening:own.message')}</Text>
          {own.length === 0 && <Text size="sm">{t('screening:own.none')}</Text>}
          {own.map((list) => (
            <Paper key={list.name} withBorder component="section" p="md" aria-label={list.name}>
              <Group justify="space-between" wrap="nowrap">
                <Title order={3} size="h5">
                  {list.name}
                </Title>
                <RowActions
                  name={list.name}
                  actions={[
                    {
                      icon: IconHistory,
                      label: t('screening:own.versions'),
                      onClick: () => setVersionsOf(versionsOf === list.name ? null : list.name),
                    },
                    ...(mayChange
                      ? [
                          {
                            icon: IconUpload,
                            label: t('screening:own.newVersion'),
                            onClick: () => setLoading(list.name),
                          },
                          {
                            icon: IconTrash,
                            label: t('common:actions.remove'),
                            danger: true,
                            onClick: () => setRemoving(list),
                          },
                        ]
                      : []),
                  ]}
                />
              </Group>
              <Text size="sm">{facts(list)}</Text>
              <Text size="sm" c="dimmed">
                {t(list.enabled ? 'screening:own.used' : 'screening:own.unused')}
              </Text>
              {versionsOf === list.name && <Versions name={list.name} />}
            </Paper>
          ))}
          {mayChange && (
            <Group justify="flex-end">
              <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setLoading('')}>
                {t('screening:own.load')}
              </Button>
            </Group>
          )}
        </Stack>
      </Dialog>
      {loading !== null && <LoadListModal name={loading} onClose={() => setLoading(null)} />}
      {removing && (
        <ConfirmAct
          title={t('screening:own.remove')}
          message={t('screening:own.removeMessage')}
          facts={[{ label: removing.name, value: facts(removing) }]}
          confirmLabel={t('common:actions.remove')}
          danger
          act={(key) => remove(underKey({ name: removing.name }, key)).unwrap()}
          done={t('screening:own.removed')}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  );
}

/** Who loaded which version, and when. */
function Versions({ name }: { name: string }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const query = useListOwnScreeningListVersionsQuery({ name }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query}>
      {({ results }) => (
        <Stack component="ul" gap={4} m={0} mt="xs" pl="md">
          {results.map((own) => (
            <Text component="li" size="sm" key={own.at}>
              {own.version
                ? t('screening:own.version', {
                    version: own.version,
                    entries: formatCount(own.entries, locale),
                    who: own.by.name ?? t('entities:erased'),
                    at: formatDateTime(own.at, locale, timeZone),
                  })
                : t('screening:own.versionRemoved', {
                    who: own.by.name ?? t('entities:erased'),
                    at: formatDateTime(own.at, locale, timeZone),
                  })}
            </Text>
          ))}
        </Stack>
      )}
    </Loaded>
  );
}
