import { Button, Text } from '@mantine/core';
import { IconEye, IconFileImport, IconUpload } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { type ImportView, may, useListImportsQuery, useProfile } from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { afterSteps } from '~/shared/lib/historyStep';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { localPage } from '~/shared/ui/table/localPage';
import { RowActions } from '~/shared/ui/table/RowActions';
import { useListState } from '~/shared/ui/table/useListState';
import { isAtWork, POLL_MS, STATES } from './look';
import { UploadModal } from './UploadModal';

const FILTERS = ['query'] as const;
const DEFAULTS = { sort: '-created' };
const SORTS = ['name', 'kind', 'state', 'rows', 'created'] as const;
const column = createColumnHelper<ImportView>();

/** Files that became records, or are about to. */
export default function ImportsPage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone, role } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const [uploading, setUploading] = useState(false);
  const [uploaded, setUploaded] = useState<string | null>(null);
  const navigate = useNavigate();
  // To its columns, once the dialog's step of the history is gone.
  useEffect(() => {
    if (uploaded) afterSteps(() => void navigate(`/imports/${uploaded}`));
  }, [uploaded, navigate]);
  const [polls, setPolls] = useState(false);
  const query = useListImportsQuery(undefined, {
    refetchOnMountOrArgChange: true,
    pollingInterval: polls ? POLL_MS : 0,
    skipPollingIfUnfocused: true,
  });
  const atWork = query.data?.results.some(isAtWork) ?? false;
  if (atWork !== polls) setPolls(atWork);
  const columns = useMemo(() => {
    const count = (value: number) => formatCount(value, locale);
    const nameOf = (row: ImportView) => row.name || t('imports:list.unnamed');
    return [
      column.accessor('name', {
        header: t('imports:list.file'),
        cell: ({ row: { original: row } }) => nameOf(row),
        meta: { sort: 'name', card: 'title' },
      }),
      column.accessor('kind', {
        header: t('imports:list.kind'),
        cell: ({ getValue }) => t(`imports:kinds.${getValue()}`),
        meta: { sort: 'kind' },
      }),
      column.accessor('state', {
        header: t('imports:list.state'),
        cell: ({ getValue }) => (
          <StatusBadge {...STATES[getValue()]} label={t(`imports:states.${getValue()}`)} />
        ),
        meta: { sort: 'state', card: 'corner' },
      }),
      column.accessor('rows', {
        header: t('imports:list.rows'),
        cell: ({ getValue }) => count(getValue()),
        meta: { sort: 'rows', align: 'right' },
      }),
      column.display({
        id: 'results',
        header: t('imports:list.results'),
        cell: ({ row: { original: row } }) => {
          if (isAtWork(row)) {
            return t('imports:list.progress', { done: count(row.done), rows: count(row.rows) });
          }
          const counts = row.imported ?? row.previewed;
          return counts
            ? t('imports:list.counts', { added: count(counts.added), refused: count(counts.refused) })
            : '–';
        },
      }),
      column.accessor('maker', {
        header: t('imports:list.maker'),
        cell: ({ getValue }) => getValue().name ?? t('entities:erased'),
      }),
      column.accessor('createdAt', {
        header: t('imports:list.created'),
        cell: ({ getValue }) => formatDateTime(getValue(), locale, timeZone),
        meta: { sort: 'created', holds: 'moment' },
      }),
      column.display({
        id: 'actions',
        header: t('common:table.actions'),
        cell: ({ row: { original: row } }) => (
          <RowActions
            name={nameOf(row)}
            actions={[{ icon: IconEye, label: t('imports:list.open'), to: `/imports/${row.id}` }]}
          />
        ),
        meta: { align: 'right', card: 'actions', buttons: 1 },
      }),
    ] as ColumnDef<ImportView, unknown>[];
  }, [t, locale, timeZone]);
  const page =
    query.data &&
    localPage(
      query.data.results,
      list,
      {
        texts: (row) => [row.name, t(`imports:kinds.${row.kind}`), row.maker.name],
        sorts: {
          name: (row) => row.name ?? '',
          kind: (row) => t(`imports:kinds.${row.kind}`),
          state: (row) => t(`imports:states.${row.state}`),
          rows: (row) => row.rows,
          created: (row) => row.createdAt,
        },
      },
      locale,
    );
  return (
    <>
      <ListScreen
        name="imports"
        title={t('common:menu.imports')}
        actions={
          may.uploadImport.includes(role) && (
            <Button leftSection={<IconUpload size={17} aria-hidden />} onClick={() => setUploading(true)}>
              {t('imports:upload.action')}
            </Button>
          )
        }
        above={
          <Text size="sm" mb="sm">
            {t('imports:list.message')}
          </Text>
        }
        list={list}
        query={
          { ...query, ...(page && { data: page }) } as Parameters<
            typeof ListScreen<ImportView, 'query'>
          >[0]['query']
        }
        columns={columns}
        sorts={SORTS}
        searchLabel={t('imports:list.search')}
        rowId={(row) => row.id}
        rowName={(row) => row.name || t('imports:list.unnamed')}
        empty={{ icon: IconFileImport, title: t('imports:list.empty'), hint: t('imports:list.emptyHint') }}
      />
      {uploading && (
        <UploadModal
          onUploaded={(id) => {
            setUploading(false);
            setUploaded(id);
          }}
          onClose={() => setUploading(false)}
        />
      )}
    </>
  );
}
