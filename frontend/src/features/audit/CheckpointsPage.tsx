import { Alert, Button, Paper, Text } from '@mantine/core';
import { IconCertificate, IconDownload, IconShieldX, IconSignature } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import {
  downloadFile,
  type KeptCheckpoint,
  saveFile,
  useGetCheckpointKeysQuery,
  useListCheckpointsQuery,
  useProfile,
  useTakeCheckpointMutation,
} from '~/api';
import { EventLink } from '~/entities/ledger/audit';
import { formatMoment } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { CopyValue } from '~/shared/ui/CopyValue';
import { Loaded } from '~/shared/ui/Loaded';
import { problemText } from '~/shared/ui/problemText';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { localPage } from '~/shared/ui/table/localPage';
import { RowActions } from '~/shared/ui/table/RowActions';
import { useListState } from '~/shared/ui/table/useListState';
import { useToast } from '~/shared/ui/toasts/toasts';
import classes from './Audit.module.css';
import { Hash } from './Hash';
import { Standing } from './Standing';

const FILTERS = ['query'] as const;
const DEFAULTS = { sort: '-signedAt' };
const KEYS_FILE = 'caudal-public-keys.json';

const column = createColumnHelper<KeptCheckpoint>();

/** The file, as it was signed. */
function download({ checkpoint, fileName }: KeptCheckpoint): void {
  saveFile(new Blob([`${JSON.stringify(checkpoint, null, 2)}\n`], { type: 'application/json' }), fileName);
}

function useColumns(): ColumnDef<KeptCheckpoint, unknown>[] {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  return useMemo(
    () =>
      [
        column.accessor('checkpoint.position', {
          header: t('audit:checkpoints.position'),
          cell: ({ getValue }) => {
            const position = getValue();
            const shown = formatCount(position, locale);
            return position > 0 ? <EventLink position={position}>{shown}</EventLink> : shown;
          },
          meta: { sort: 'position', card: 'title' },
        }),
        column.accessor('checkpoint.signedAt', {
          header: t('audit:checkpoints.signedAt'),
          cell: ({ getValue }) => formatMoment(getValue(), locale, timeZone),
          meta: { sort: 'signedAt' },
        }),
        column.accessor('checkpoint.hash', {
          header: t('audit:event.hash'),
          cell: ({ row: { original } }) => (
            <Hash
              hash={original.checkpoint.hash}
              short
              label={t('audit:event.hashOf', { number: formatCount(original.checkpoint.position, locale) })}
            />
          ),
        }),
        column.accessor('checkpoint.key', {
          header: t('audit:checkpoints.key'),
          cell: ({ getValue }) => <code className={classes.hash}>{getValue()}</code>,
        }),
        column.accessor('standing', {
          header: t('audit:checkpoints.standing'),
          cell: ({ getValue }) => <Standing standing={getValue()} />,
          meta: { card: 'corner' },
        }),
        column.display({
          id: 'actions',
          header: '',
          cell: ({ row: { original } }) => (
            <RowActions
              name={formatCount(original.checkpoint.position, locale)}
              actions={[
                {
                  icon: IconDownload,
                  label: t('audit:checkpoints.download'),
                  onClick: () => download(original),
                },
              ]}
            />
          ),
          meta: { align: 'right', card: 'actions' },
        }),
      ] as ColumnDef<KeptCheckpoint, unknown>[],
    [t, locale, timeZone],
  );
}

function Keys() {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const { timeZone } = useProfile();
  const query = useGetCheckpointKeysQuery();
  const fetchKeys = () =>
    downloadFile('/api/audit/keys', {}, KEYS_FILE).catch((thrown) =>
      toast('bad', problemText(t, asProblem(thrown))),
    );
  return (
    <Paper withBorder component="section" className={classes.panel} mt="md">
      <h2 className={classes.heading}>{t('audit:checkpoints.keys')}</h2>
      <Text size="sm" c="dimmed" mb="sm">
        {t('audit:checkpoints.keysHint')}
      </Text>
      <Loaded query={query}>
        {({ keys }) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          <section className={classes.scroll} aria-label={t('audit:checkpoints.keys')} tabIndex={0}>
            <table className={classes.values} data-keys>
              <thead>
                <tr>
                  <th scope="col">{t('audit:checkpoints.key')}</th>
                  <th scope="col">{t('audit:checkpoints.publicKeyHead')}</th>
                  <th scope="col">{t('audit:checkpoints.period')}</th>
                </tr>
              </thead>
              <tbody>
                {keys.toReversed().map((key) => (
                  <tr key={key.id}>
                    <th scope="row">
                      <code className={classes.hash}>{key.id}</code>
                    </th>
                    <td>
                      <CopyValue value={key.publicKey} label={t('audit:checkpoints.publicKey')}>
                        <code className={classes.hash}>{key.publicKey}</code>
                      </CopyValue>
                    </td>
                    <td>
                      {key.until
                        ? t('audit:checkpoints.fromTo', {
                            from: formatMoment(key.since, locale, timeZone),
                            to: formatMoment(key.until, locale, timeZone),
                          })
                        : t('audit:checkpoints.since', {
                            from: formatMoment(key.since, locale, timeZone),
                          })}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Loaded>
      <Button
        variant="default"
        mt="md"
        leftSection={<IconDownload size={17} aria-hidden />}
        onClick={() => void fetchKeys()}
      >
        {t('audit:checkpoints.downloadKeys')}
      </Button>
    </Paper>
  );
}

/** The signed ends of the log that were taken, one more of them, and the public keys they are checked with. */
export default function CheckpointsPage() {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListCheckpointsQuery();
  const [take, { isLoading }] = useTakeCheckpointMutation();
  const columns = useColumns();
  const rows = query.data?.checkpoints;
  const page = useMemo(
    () =>
      rows &&
      localPage(
        [...rows],
        list,
        {
          texts: ({ checkpoint }) => [String(checkpoint.position), checkpoint.hash, checkpoint.key],
          sorts: {
            signedAt: ({ checkpoint }) => checkpoint.signedAt,
            position: ({ checkpoint }) => checkpoint.position,
          },
        },
        locale,
      ),
    [rows, list, locale],
  );
  const sign = async () => {
    try {
      const taken = await take().unwrap();
      toast('good', t('audit:checkpoints.taken', { number: formatCount(taken.checkpoint.position, locale) }));
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    }
  };
  const button = (
    <Button
      leftSection={<IconSignature size={17} aria-hidden />}
      loading={isLoading}
      onClick={() => void sign()}
    >
      {t('audit:checkpoints.take')}
    </Button>
  );
  const bad = rows?.some(({ standing }) => standing !== 'holds');
  return (
    <>
      <ListScreen
        name="audit-checkpoints"
        title={t('common:menu.auditCheckpoints')}
        actions={button}
        list={list}
        query={{ ...query, data: page }}
        columns={columns}
        searchLabel={t('audit:checkpoints.search')}
        summary={
          bad && (
            <Alert variant="light" color="red" mb="sm" icon={<IconShieldX size={18} aria-hidden />}>
              {t('audit:checkpoints.bad')}
            </Alert>
          )
        }
        rowId={(row) => `${row.checkpoint.position}-${row.checkpoint.hash}-${row.checkpoint.key}`}
        rowName={(row) => formatCount(row.checkpoint.position, locale)}
        empty={{
          icon: IconCertificate,
          title: t('audit:checkpoints.none'),
          hint: t('audit:checkpoints.hint'),
        }}
      />
      <Keys />
    </>
  );
}
