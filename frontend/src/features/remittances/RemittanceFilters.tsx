import { CurrencyFilter } from '~/entities/filters/CurrencyFilter';
import { AgencyFilter, AgentFilter, DealerFilter } from '~/entities/filters/PartyFilters';
import { PlaceFilters } from '~/entities/filters/PlaceFilters';
import { useTexts } from '~/shared/lib/texts';
import { DateRange } from '~/shared/ui/DateRange';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import type { ListState } from '~/shared/ui/table/useListState';
import type { RemittanceFilter } from './filters';

interface FiltersProps {
  list: ListState<RemittanceFilter>;
}

/** What a list is mostly narrowed by: days and currency. */
export function RemittanceFilters({ list }: FiltersProps) {
  return (
    <>
      <DateRange
        from={list.filters.initDate}
        to={list.filters.finalDate}
        onChange={(initDate, finalDate) => list.setFilters({ initDate, finalDate })}
      />
      <CurrencyFilter list={list} width={140} />
    </>
  );
}

/** What else it can be narrowed by; parties only where the reader may see them. */
export function MoreRemittanceFilters({
  list,
  offered,
}: FiltersProps & { offered: readonly RemittanceFilter[] }) {
  const t = useTexts();
  return (
    <>
      {offered.includes('deliveryMethod') && (
        <FilterSelect
          list={list}
          name="deliveryMethod"
          label={t('remittances:filters.method')}
          data={[
            { value: 'home', label: t('remittances:method.home') },
            { value: 'card', label: t('remittances:method.card') },
          ]}
        />
      )}
      <AgencyFilter list={list} />
      <AgentFilter list={list} />
      <DealerFilter list={list} />
      <PlaceFilters list={list} />
    </>
  );
}
