import { Anchor, Button, Paper, Text } from '@mantine/core';
import { IconChartLine, IconListDetails } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import { Link } from 'react-router';
import {
  downloadList,
  type LedgerEntry,
  type ListEntriesApiArg,
  useLazyListEntriesQuery,
  useListEntriesQuery,
  useProfile,
} from '~/api';
import { Account } from '~/entities/ledger/Account';
import { EventLink } from '~/entities/ledger/audit';
import { CauseLink } from '~/entities/ledger/CauseLink';
import { Entry, useEventName } from '~/entities/ledger/Entry';
import { type AccountLine, linesOf } from '~/entities/ledger/lines';
import { formatDateTime, formatMoment } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { AsOf } from '~/shared/ui/AsOf';
import { ChartPanel } from '~/shared/ui/charts/ChartPanel';
import type { LineChartData } from '~/shared/ui/charts/data';
import { Money } from '~/shared/ui/Money';
import { problemText } from '~/shared/ui/problemText';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';
import { useToast } from '~/shared/ui/toasts/toasts';
import classes from './Audit.module.css';
import { accountParts } from './inWords';
import { TimeSlider } from './TimeSlider';
import { usePast } from './usePast';

const FILTERS = [] as const;
const DEFAULTS = { sort: '-created' };
/** Entries in the chart: one page of the server. */
const CHARTED = 100;

/** An account's line of an entry, as a row. */
interface Row extends AccountLine {
  id: string;
  entry: LedgerEntry;
}

const rowsOf = (entries: LedgerEntry[], account: string): Row[] =>
  entries.flatMap((entry) =>
    linesOf(entry, account).map((line, index) => ({ ...line, id: `${entry.position}-${index + 1}`, entry })),
  );

const column = createColumnHelper<Row>();

function useColumns(): ColumnDef<Row, unknown>[] {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const eventName = useEventName();
  return useMemo(
    () =>
      [
        column.accessor('entry.position', {
          header: t('audit:event.position'),
          cell: ({ getValue }) => (
            <EventLink position={getValue()}>{formatCount(getValue(), locale)}</EventLink>
          ),
          meta: { sort: 'created', card: 'corner' },
        }),
        column.accessor('entry.at', {
          header: t('audit:event.at'),
          cell: ({ getValue }) => formatMoment(getValue(), locale, timeZone),
        }),
        column.accessor('entry.eventType', {
          header: t('audit:event.type'),
          cell: ({ getValue }) => eventName(getValue()),
          meta: { card: 'title' },
        }),
        column.accessor('entry', {
          header: t('entities:ledger.about'),
          cell: ({ getValue }) => <CauseLink entry={getValue()} />,
        }),
        column.accessor('other', {
          header: t('audit:account.other'),
          cell: ({ getValue }) => <Account account={getValue()} />,
        }),
        column.accessor('debit', {
          header: t('entities:ledger.debit'),
          cell: ({ getValue }) => {
            const debit = getValue();
            return debit && <Money value={debit} />;
          },
          meta: { align: 'right' },
        }),
        column.accessor('credit', {
          header: t('entities:ledger.credit'),
          cell: ({ getValue }) => {
            const credit = getValue();
            return credit && <Money value={credit} />;
          },
          meta: { align: 'right' },
        }),
        column.accessor('after', {
          header: t('audit:account.balance'),
          cell: ({ getValue }) => (
            <strong>
              <Money value={getValue()} signed />
            </strong>
          ),
          meta: { align: 'right' },
        }),
      ] as ColumnDef<Row, unknown>[],
    [t, locale, timeZone, eventName],
  );
}

/** Running balance of the last entries until a time; null with fewer than two. */
function useChart(account: string, then: Pick<ListEntriesApiArg, 'position' | 'at'>) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const { currentData } = useListEntriesQuery({
    account,
    ...then,
    sort: '-created',
    recordsPerPage: CHARTED,
  });
  return useMemo((): LineChartData | null | undefined => {
    if (!currentData) return undefined;
    const rows = rowsOf(currentData.data.toReversed(), account);
    // An account outside the reader's scope has no balance.
    if (rows.length < 2 || rows.some(({ after }) => after === null)) return null;
    return {
      label: t('audit:account.balance'),
      points: rows.map(({ entry, after }) => ({
        label: formatDateTime(entry.at, locale, timeZone),
        // Only drawn, never shown as a figure.
        value: Number(after),
      })),
      summary: t('audit:account.chart', { count: rows.length, shown: formatCount(rows.length, locale) }),
    };
  }, [currentData, account, t, locale, timeZone]);
}

/** An account through time: its balance after each entry and at any moment, and the event behind each. */
export function AccountThroughTime({ account }: { account: string }) {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const { timeZone } = useProfile();
  const eventName = useEventName();
  const past = usePast();
  const then = { position: past.position, at: past.at };
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListEntriesQuery({
    account,
    ...then,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListEntriesApiArg['sort'],
  });
  const newest = { account, sort: '-created', recordsPerPage: 1 } as const;
  const { data: all } = useListEntriesQuery(newest);
  const { data: last } = useListEntriesQuery({ ...newest, ...then });
  const [find] = useLazyListEntriesQuery();
  const columns = useColumns();
  const chart = useChart(account, then);
  const count = all?.totalRecords ?? 0;
  const happened = last?.totalRecords ?? count;
  const present = all?.data[0] && linesOf(all.data[0], account).at(-1);
  const entry = last?.data[0];
  const line = entry && linesOf(entry, account).at(-1);

  const choose = async (value: number) => {
    if (value >= count) return past.go({});
    if (value <= 0) return past.go({ position: 0 });
    try {
      // The entries are counted from the first one, a page of one each.
      const found = await find(
        { account, sort: 'created', recordsPerPage: 1, currentPage: value },
        true,
      ).unwrap();
      past.go({ position: found.data[0]?.position });
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    }
  };

  const page = query.data && {
    data: rowsOf(query.data.data, account),
    totalPages: query.data.totalPages,
    totalRecords: query.data.totalRecords,
  };
  const { kind, currency } = accountParts(account);
  const name = present
    ? [
        `${present.own.code} ${t(`entities:accounts.${present.own.kind}`)}`,
        present.own.owner && (present.own.owner.name ?? t('entities:erased')),
        currency,
      ]
        .filter(Boolean)
        .join(' · ')
    : `${t(`entities:accounts.${kind}` as 'entities:accounts.balance', { defaultValue: kind })} · ${currency}`;
  return (
    <ListScreen
      name="audit-account"
      title={name}
      actions={
        <Button
          component={Link}
          to="/audit/account/"
          variant="default"
          leftSection={<IconListDetails size={17} aria-hidden />}
        >
          {t('audit:account.others')}
        </Button>
      }
      list={list}
      query={{ ...query, data: page }}
      columns={columns}
      filtered={past.position !== undefined || past.at !== undefined}
      onClear={() => past.go({})}
      active={past.at || past.position !== undefined ? 1 : 0}
      filters={<AsOf at={past.at} zone={timeZone} onChange={(at) => past.go({ at })} />}
      summary={
        <div className={classes.panels} style={{ marginBottom: 16 }}>
          <Paper withBorder component="section" className={classes.panel}>
            <div className={classes.moment}>
              <div aria-live="polite">
                <Text size="sm" c="dimmed">
                  {entry
                    ? t('audit:account.stood', {
                        number: formatCount(entry.position, locale),
                        event: eventName(entry.eventType),
                        at: formatMoment(entry.at, locale, timeZone),
                      })
                    : t('audit:past.before')}
                </Text>
                <span className={classes.figure} data-testid="balance-then">
                  <Money value={line ? line.after : '0.00'} currency={currency} signed />
                </span>
              </div>
              {entry && (
                <Anchor component={Link} to={`/audit/events/${entry.position}`} size="sm">
                  {t('audit:event.open')}
                </Anchor>
              )}
            </div>
            <TimeSlider
              label={t('audit:account.slide')}
              count={count}
              value={happened}
              onChoose={(value) => void choose(value)}
            />
          </Paper>
          <ChartPanel title={t('audit:account.trend')} line={chart} />
        </div>
      }
      onExport={(format) =>
        downloadList(
          '/api/accounting/entries',
          {
            account,
            at: past.at,
            position: past.position === undefined ? undefined : String(past.position),
            sort: list.sort,
          },
          format,
        )
      }
      rowId={(row) => row.id}
      rowName={(row) => t('audit:event.named', { number: formatCount(row.entry.position, locale) })}
      detail={(row) => <Entry entry={row.entry} />}
      empty={{ icon: IconChartLine, title: t('audit:account.none') }}
    />
  );
}
