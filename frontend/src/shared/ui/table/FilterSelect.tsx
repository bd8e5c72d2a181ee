import { Select } from '@mantine/core';
import type { ListState } from './useListState';

export interface Option {
  value: string;
  label: string;
}

interface FilterSelectProps<Filter extends string> {
  list: ListState<Filter>;
  name: NoInfer<Filter>;
  label: string;
  data: Option[];
  width?: number;
  /** Filters cleared when this one changes. */
  resets?: NoInfer<Filter>;
}

/** Number of choices from which the list is searchable. */
const SEARCHABLE_FROM = 7;

export function FilterSelect<Filter extends string>(props: FilterSelectProps<Filter>) {
  const { list, name, label, data, width, resets } = props;
  const change = (value: string | null) =>
    list.setFilters({ [name]: value ?? undefined, ...(resets && { [resets]: undefined }) } as Partial<
      Record<Filter, string | undefined>
    >);
  return (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      searchable={data.length >= SEARCHABLE_FROM}
      w={width}
      maw="100%"
      data={data}
      value={list.filters[name] ?? null}
      onChange={change}
    />
  );
}

/** Rows with a name as options. */
export function namedOptions(rows: { id: string; name: string | null }[] | undefined): Option[] {
  return (rows ?? []).map(({ id, name }) => ({ value: id, label: name ?? id }));
}
