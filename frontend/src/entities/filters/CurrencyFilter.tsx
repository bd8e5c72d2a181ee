import { useListCurrenciesQuery } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import type { ListState } from '~/shared/ui/table/useListState';

const EVERYTHING = { recordsPerPage: 0 };

/** By currency. */
export function CurrencyFilter({ list, width = 130 }: { list: ListState<'currency'>; width?: number }) {
  const t = useTexts();
  const { data } = useListCurrenciesQuery(EVERYTHING);
  return (
    <FilterSelect
      list={list}
      name="currency"
      label={t('entities:filters.currency')}
      width={width}
      data={(data?.data ?? []).map(({ code }) => ({ value: code, label: code }))}
    />
  );
}
