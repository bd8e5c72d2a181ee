import { Select } from '@mantine/core';
import { useTexts } from '~/shared/lib/texts';
import type { ListState } from '~/shared/ui/table/useListState';

/** The filters that a party's state is asked by. */
export const STATE_FILTERS = ['isActive', 'deleted'] as const;
type StateFilterName = (typeof STATE_FILTERS)[number];
const DELETED = 'deleted';

/** The state filters as a list is asked with them. */
export function stateArgs({ isActive, deleted }: Partial<Record<StateFilterName, string>>) {
  return {
    isActive: isActive === undefined ? undefined : isActive === 'true',
    deleted: deleted === undefined ? undefined : deleted === 'true',
  };
}

/** Active, inactive, or deleted, which a list leaves out unless they are asked for. */
export function StateFilter({ list }: { list: ListState<StateFilterName> }) {
  const t = useTexts();
  const { isActive, deleted } = list.filters;
  const choose = (value: string | null) =>
    list.setFilters({
      isActive: value === null || value === DELETED ? undefined : value,
      deleted: value === DELETED ? 'true' : undefined,
    });
  return (
    <Select
      aria-label={t('entities:active.state')}
      placeholder={t('entities:active.state')}
      clearable
      w={140}
      maw="100%"
      data={[
        { value: 'true', label: t('entities:active.yes') },
        { value: 'false', label: t('entities:active.no') },
        { value: DELETED, label: t('entities:active.deleted') },
      ]}
      value={deleted === 'true' ? DELETED : (isActive ?? null)}
      onChange={choose}
    />
  );
}
