import { Select } from '@mantine/core';
import {
  type Role,
  useListAgenciesQuery,
  useListAgentsQuery,
  useListCurrenciesQuery,
  useListDealerDirectoryQuery,
  useListMunicipalitiesQuery,
  useListProvincesQuery,
} from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { DateRange } from '~/shared/ui/DateRange';
import { FilterBar } from '~/shared/ui/table/FilterBar';
import type { ListState } from '~/shared/ui/table/useListState';
import { MORE_FILTERS, type RemittanceFilter } from './filters';

interface Option {
  value: string;
  label: string;
}

interface FilterSelectProps {
  list: ListState<RemittanceFilter>;
  name: RemittanceFilter;
  label: string;
  data: Option[];
  width?: number;
  /** Filters that make no sense any more when this one changes. */
  resets?: RemittanceFilter;
}

function FilterSelect({ list, name, label, data, width, resets }: FilterSelectProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      searchable={data.length > 6}
      w={width}
      maw="100%"
      data={data}
      value={list.filters[name] ?? null}
      onChange={(value) =>
        list.setFilters({ [name]: value ?? undefined, ...(resets && { [resets]: undefined }) })
      }
    />
  );
}

const named = (rows: { id: string; name: string }[] | undefined): Option[] =>
  (rows ?? []).map(({ id, name }) => ({ value: id, label: name }));

/** What the list can be narrowed by; parties only where the reader may see them. */
export function RemittanceFilters({ list, role }: { list: ListState<RemittanceFilter>; role: Role }) {
  const t = useTexts();
  const manager = role === 'manager';
  const everything = { recordsPerPage: 0 };
  const { data: currencies } = useListCurrenciesQuery(everything);
  const { data: agencies } = useListAgenciesQuery(everything, { skip: !manager });
  const { data: agents } = useListAgentsQuery(everything, { skip: !manager && role !== 'agency' });
  const { data: dealers } = useListDealerDirectoryQuery(everything, { skip: !manager });
  const { data: provinces } = useListProvincesQuery();
  const province = list.filters.provinceId;
  const { data: municipalities } = useListMunicipalitiesQuery({ provinceId: province }, { skip: !province });

  return (
    <FilterBar
      search={list.filters.query}
      searchLabel={t('remittances:filters.search')}
      onSearch={(query) => list.setFilters({ query })}
      active={Object.keys(list.filters).filter((name) => name !== 'status').length}
      onClear={list.clearFilters}
      moreActive={MORE_FILTERS.filter((name) => list.filters[name]).length}
      more={
        <>
          <FilterSelect
            list={list}
            name="deliveryMethod"
            label={t('remittances:filters.method')}
            data={[
              { value: 'home', label: t('remittances:method.home') },
              { value: 'card', label: t('remittances:method.card') },
            ]}
          />
          {manager && (
            <FilterSelect
              list={list}
              name="agencyId"
              label={t('remittances:filters.agency')}
              data={named(agencies?.data)}
            />
          )}
          {(manager || role === 'agency') && (
            <FilterSelect
              list={list}
              name="agentId"
              label={t('remittances:filters.agent')}
              data={named(agents?.data)}
            />
          )}
          {manager && (
            <FilterSelect
              list={list}
              name="dealerId"
              label={t('remittances:filters.dealer')}
              data={named(dealers?.data)}
            />
          )}
          <FilterSelect
            list={list}
            name="provinceId"
            label={t('remittances:filters.province')}
            data={named(provinces?.results)}
            resets="municipalityId"
          />
          {province && (
            <FilterSelect
              list={list}
              name="municipalityId"
              label={t('remittances:filters.municipality')}
              data={named(municipalities?.results)}
            />
          )}
        </>
      }
    >
      <DateRange
        from={list.filters.initDate}
        to={list.filters.finalDate}
        onChange={(initDate, finalDate) => list.setFilters({ initDate, finalDate })}
      />
      <FilterSelect
        list={list}
        name="currency"
        label={t('remittances:filters.currency')}
        width={140}
        data={(currencies?.data ?? []).map(({ code }) => ({ value: code, label: code }))}
      />
    </FilterBar>
  );
}
