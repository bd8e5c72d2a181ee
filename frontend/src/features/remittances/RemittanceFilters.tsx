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
import { FilterSelect, namedOptions } from '~/shared/ui/table/FilterSelect';
import type { ListState } from '~/shared/ui/table/useListState';
import type { RemittanceFilter } from './filters';

interface FiltersProps {
  list: ListState<RemittanceFilter>;
}

const EVERYTHING = { recordsPerPage: 0 };

/** What a list is mostly narrowed by: days and currency. */
export function RemittanceFilters({ list }: FiltersProps) {
  const t = useTexts();
  const { data: currencies } = useListCurrenciesQuery(EVERYTHING);
  return (
    <>
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
    </>
  );
}

/** What else it can be narrowed by; parties only where the reader may see them. */
export function MoreRemittanceFilters({
  list,
  role,
  offered,
}: FiltersProps & { role: Role; offered: readonly RemittanceFilter[] }) {
  const t = useTexts();
  const manager = role === 'manager';
  const { data: agencies } = useListAgenciesQuery(EVERYTHING, { skip: !manager });
  const { data: agents } = useListAgentsQuery(EVERYTHING, { skip: !manager && role !== 'agency' });
  const { data: dealers } = useListDealerDirectoryQuery(EVERYTHING, { skip: !manager });
  const { data: provinces } = useListProvincesQuery();
  const province = list.filters.provinceId;
  const { data: municipalities } = useListMunicipalitiesQuery({ provinceId: province }, { skip: !province });
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
      {manager && (
        <FilterSelect
          list={list}
          name="agencyId"
          label={t('remittances:filters.agency')}
          data={namedOptions(agencies?.data)}
        />
      )}
      {(manager || role === 'agency') && (
        <FilterSelect
          list={list}
          name="agentId"
          label={t('remittances:filters.agent')}
          data={namedOptions(agents?.data)}
        />
      )}
      {manager && (
        <FilterSelect
          list={list}
          name="dealerId"
          label={t('remittances:filters.dealer')}
          data={namedOptions(dealers?.data)}
        />
      )}
      <FilterSelect
        list={list}
        name="provinceId"
        label={t('remittances:filters.province')}
        data={namedOptions(provinces?.results)}
        resets="municipalityId"
      />
      {province && (
        <FilterSelect
          list={list}
          name="municipalityId"
          label={t('remittances:filters.municipality')}
          data={namedOptions(municipalities?.results)}
        />
      )}
    </>
  );
}
