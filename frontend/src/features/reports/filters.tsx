import { kinds } from '~/api';
import { CurrencyFilter } from '~/entities/filters/CurrencyFilter';
import { AgencyFilter, AgentFilter, DealerFilter, DeliveryManFilter } from '~/entities/filters/PartyFilters';
import { PlaceFilters, ProvinceFilter } from '~/entities/filters/PlaceFilters';
import { STATUS_NAMES } from '~/entities/remittances/status';
import { useTexts } from '~/shared/lib/texts';
import { DateRange } from '~/shared/ui/DateRange';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import type { ListState } from '~/shared/ui/table/useListState';
import { AmountFilter } from './AmountFilter';
import type { ReportFilter } from './definition';

/** Every filter of any report, as it stands in the address: the server's own names. */
export const FILTERS = [
  'query',
  'initDate',
  'finalDate',
  'status',
  'fromStatus',
  'toStatus',
  'currency',
  'agencyId',
  'agentId',
  'dealerId',
  'deliveryManId',
  'provinceId',
  'municipalityId',
  'deliveryMethod',
  'days',
  'side',
  'amountFrom',
  'remittancesFrom',
  'reason',
  'releasedFrom',
  'releasedTo',
] as const;
type Name = (typeof FILTERS)[number];

/** Lengths of a rolling window in days, and numbers of remittances in it from which people are listed. */
const WINDOWS = ['1', '7', '30', '365'] as const;
const REPEATED = [2, 3, 5, 10, 20];

/** What a filter writes into the address. */
const NAMES: Partial<Record<ReportFilter, readonly Name[]>> = {
  period: ['initDate', 'finalDate'],
  place: ['provinceId', 'municipalityId'],
  province: ['provinceId'],
  holdReason: ['reason'],
  released: ['releasedFrom', 'releasedTo'],
};

/** The names in the address of filters. */
export function namesOf(filters: readonly ReportFilter[]): readonly Name[] {
  return filters.flatMap((filter) => NAMES[filter] ?? [filter as Name]);
}

const LABELS = {
  status: 'reports:columns.status',
  fromStatus: 'reports:columns.fromStatus',
  toStatus: 'reports:columns.toStatus',
} as const;

/** One filter of a report. */
export function Filter({ filter, list }: { filter: ReportFilter; list: ListState<Name> }) {
  const t = useTexts();
  switch (filter) {
    case 'period':
      return (
        <DateRange
          from={list.filters.initDate}
          to={list.filters.finalDate}
          onChange={(initDate, finalDate) => list.setFilters({ initDate, finalDate })}
        />
      );
    case 'status':
    case 'fromStatus':
    case 'toStatus':
      return (
        <FilterSelect
          list={list}
          name={filter}
          label={t(LABELS[filter])}
          data={STATUS_NAMES.map(({ status, label }) => ({ value: String(status), label: t(label) }))}
        />
      );
    case 'currency':
      return <CurrencyFilter list={list} width={190} />;
    case 'agencyId':
      return <AgencyFilter list={list} />;
    case 'agentId':
      return <AgentFilter list={list} />;
    case 'dealerId':
      return <DealerFilter list={list} />;
    case 'deliveryManId':
      return <DeliveryManFilter list={list} />;
    case 'place':
      return <PlaceFilters list={list} />;
    case 'province':
      return <ProvinceFilter list={list} />;
    case 'days':
      return (
        <FilterSelect
          list={list}
          name="days"
          label={t('reports:window')}
          data={WINDOWS.map((days) => ({ value: days, label: t(`reports:windows.${days}`) }))}
        />
      );
    case 'side':
      return (
        <FilterSelect
          list={list}
          name="side"
          label={t('reports:columns.side')}
          data={(['sender', 'recipient'] as const).map((side) => ({
            value: side,
            label: t(`reports:side.${side}`),
          }))}
        />
      );
    case 'amountFrom':
      return <AmountFilter list={list} />;
    case 'remittancesFrom':
      return (
        <FilterSelect
          list={list}
          name="remittancesFrom"
          label={t('reports:columns.mostRemittances')}
          data={REPEATED.map((count) => ({ value: String(count), label: t('reports:atLeast', { count }) }))}
        />
      );
    case 'holdReason':
      return (
        <FilterSelect
          list={list}
          name="reason"
          label={t('reports:columns.reason')}
          data={kinds.publicHoldReasons.map((reason) => ({
            value: reason,
            label: t(`entities:holdReason.${reason}`),
          }))}
        />
      );
    case 'released':
      return (
        <DateRange
          label={t('reports:columns.released')}
          from={list.filters.releasedFrom}
          to={list.filters.releasedTo}
          onChange={(releasedFrom, releasedTo) => list.setFilters({ releasedFrom, releasedTo })}
        />
      );
    case 'deliveryMethod':
      return (
        <FilterSelect
          list={list}
          name="deliveryMethod"
          label={t('reports:columns.method')}
          data={(['home', 'card'] as const).map((method) => ({
            value: method,
            label: t(`remittances:method.${method}`),
          }))}
        />
      );
  }
}
