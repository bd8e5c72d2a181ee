import { useListCurrenciesQuery } from '~/api';

/** The currencies in use, as choices. */
export function useCurrencyCodes(): string[] {
  const { data } = useListCurrenciesQuery({ recordsPerPage: 0 });
  return (data?.data ?? []).filter(({ enabled }) => enabled).map(({ code }) => code);
}
