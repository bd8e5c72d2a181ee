import { Button, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPercentage } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { type TodaysRate, useListTodaysRatesQuery } from '~/api';
import { ActiveMark } from '~/entities/parties/ActiveMark';
import { formatDecimal, RATE } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { UnsavedGuard } from '~/shared/ui/form/UnsavedGuard';
import { MoneyInput } from '~/shared/ui/MoneyInput';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { localPage } from '~/shared/ui/table/localPage';
import { useListState } from '~/shared/ui/table/useListState';
import { AdjustBar } from './AdjustBar';
import { type Adjustment, adjusted, isSameRate, percentBetween } from './adjust';
import { RateHistory } from './RateHistory';
import { type Proposed, ReviewRates } from './ReviewRates';
import { rateKey, SCOPES, scopeOf } from './rows';
import { useOwnerName } from './useOwnerName';

const FILTERS = ['query', 'scope', 'currency'] as const;
const DEFAULTS = { sort: '' };
const ALL = { page: 1, size: 0 };
const column = createColumnHelper<TodaysRate>();

/** Rates in one place: reference, catalogue and parties' terms, changed together, at once or at a moment. */
export default function RatesPage() {
  const t = useTexts();
  const locale = useLocale();
  const ownerName = useOwnerName();
  const list = useListState(FILTERS, DEFAULTS);
  const { data, ...query } = useListTodaysRatesQuery();
  /** What was typed or computed, by rate; what equals the rate of now is no change. */
  const [drafts, setDrafts] = useState<Record<string, string>>({});
  const [reviewing, setReviewing] = useState(false);
  const { scope, currency } = list.filters;

  const rules = useMemo(
    () => ({
      texts: (row: TodaysRate) => [
        ownerName(row),
        row.party?.name ?? null,
        row.paymentGroupName,
        row.currency,
      ],
      sorts: {},
    }),
    [ownerName],
  );
  const rows = useMemo(
    () =>
      data?.results.filter(
        (row) => (!scope || scopeOf(row) === scope) && (!currency || row.currency === currency),
      ),
    [data, scope, currency],
  );
  const page = useMemo(() => rows && localPage(rows, list, rules, locale), [rows, list, rules, locale]);
  const found = useMemo(
    () => (rows ? localPage(rows, { ...list, ...ALL }, rules, locale).data : []),
    [rows, list, rules, locale],
  );
  // The dollar is worth a dollar.
  const changeable = found.filter((row) => !(row.kind === 'reference' && row.currency === 'USD'));
  const proposed: Proposed[] = (data?.results ?? []).flatMap((rate) => {
    const to = drafts[rateKey(rate)];
    return to && adjusted(to, 'set', to) && !isSameRate(rate.rate, to) ? [{ rate, to }] : [];
  });

  const apply = (by: Adjustment, value: string) =>
    setDrafts((before) => {
      const next = { ...before };
      for (const row of changeable) {
        const to = adjusted(row.rate, by, value);
        if (to) next[rateKey(row)] = to;
      }
      return next;
    });

  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const columns = useMemo(
    () =>
      [
        column.display({
          id: 'owner',
          header: t('nomenclators:rates.whose'),
          cell: ({ row }) => ownerName(row.original),
          meta: { card: 'title' },
        }),
        column.accessor('paymentGroupName', {
          header: t('nomenclators:rates.group'),
          cell: ({ getValue }) => getValue() ?? '–',
        }),
        column.accessor('currency', { header: t('nomenclators:rates.currency') }),
        column.accessor('rate', {
          header: t('nomenclators:rates.now'),
          cell: ({ getValue }) => formatDecimal(getValue(), locale),
          meta: { align: 'right' },
        }),
        column.display({
          id: 'new',
          header: t('nomenclators:rates.new'),
          cell: ({ row: { original: row } }) => {
            const key = rateKey(row);
            if (row.kind === 'reference' && row.currency === 'USD') return '–';
            return (
              <MoneyInput
                aria-label={t('nomenclators:rates.newOf', {
                  name: [ownerName(row), row.paymentGroupName, row.currency].filter(Boolean).join(' '),
                })}
                value={drafts[key] ?? ''}
                onChange={(value) => setDrafts((before) => ({ ...before, [key]: value }))}
                placeholder={formatDecimal(row.rate, locale)}
                limits={RATE}
                w={130}
                // Below its head in a table, beside its name on a card.
                ml={phone ? 0 : 'auto'}
              />
            );
          },
          meta: { align: 'right' },
        }),
        column.display({
          id: 'difference',
          header: '%',
          cell: ({ row: { original: row } }) => {
            const to = drafts[rateKey(row)];
            const difference = to ? percentBetween(row.rate, to) : null;
            return difference && difference !== '0' ? `${formatDecimal(difference, locale)} %` : '';
          },
          // What was typed is read again, with its difference, before it is confirmed.
          meta: { align: 'right', card: 'hidden' },
        }),
        column.accessor('isActive', {
          header: t('entities:active.label'),
          cell: ({ getValue }) => <ActiveMark active={getValue()} />,
          meta: { card: 'corner', holds: 'mark' },
        }),
      ] as ColumnDef<TodaysRate, unknown>[],
    [t, locale, ownerName, drafts, phone],
  );

  const currencies = [...new Set((data?.results ?? []).flatMap((row) => row.currency ?? []))].sort();
  return (
    <>
      <UnsavedGuard unsaved={proposed.length > 0} />
      <ListScreen
        name="rates"
        title={t('common:menu.rates')}
        actions={
          <Group gap="sm">
            {proposed.length > 0 && (
              <Button variant="default" onClick={() => setDrafts({})}>
                {t('nomenclators:rates.discard')}
              </Button>
            )}
            <Button disabled={proposed.length === 0} onClick={() => setReviewing(true)}>
              {t('nomenclators:rates.reviewButton', { count: proposed.length })}
            </Button>
          </Group>
        }
        above={
          <>
            <Text size="sm" c="dimmed" mb="sm">
              {t('nomenclators:rates.hint')}
            </Text>
            <AdjustBar count={changeable.length} onApply={apply} />
          </>
        }
        list={list}
        query={{ ...query, data: page }}
        columns={columns}
        searchLabel={t('nomenclators:rates.search')}
        filters={
          <>
            <FilterSelect
              list={list}
              name="scope"
              label={t('nomenclators:rates.whose')}
              width={190}
              data={SCOPES.map((value) => ({ value, label: t(`nomenclators:rates.scope.${value}`) }))}
            />
            <FilterSelect
              list={list}
              name="currency"
              label={t('nomenclators:rates.currency')}
              width={140}
              data={currencies.map((code) => ({ value: code, label: code }))}
            />
          </>
        }
        rowId={rateKey}
        rowName={(row) => [ownerName(row), row.paymentGroupName, row.currency].filter(Boolean).join(' ')}
        empty={{ icon: IconPercentage, title: t('common:list.noMatch') }}
      />
      <RateHistory />
      {reviewing && (
        <ReviewRates
          proposed={proposed}
          onDone={() => {
            setDrafts({});
            setReviewing(false);
          }}
          onClose={() => setReviewing(false)}
        />
      )}
    </>
  );
}
