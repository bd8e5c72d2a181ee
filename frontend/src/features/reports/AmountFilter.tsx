import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useTexts } from '~/shared/lib/texts';
import { MoneyInput } from '~/shared/ui/MoneyInput';
import type { ListState } from '~/shared/ui/table/useListState';

/** Pause in typing after which the report is asked for. */
const PAUSE_MS = 400;

/** A sum in USD from which people are listed. */
export function AmountFilter({ list }: { list: ListState<'amountFrom'> }) {
  const t = useTexts();
  const [typed, setTyped] = useState(list.filters.amountFrom ?? '');
  const set = useDebouncedCallback(
    (amountFrom: string) => list.setFilters({ amountFrom: amountFrom || undefined }),
    PAUSE_MS,
  );
  return (
    <MoneyInput
      aria-label={t('reports:sumFrom')}
      placeholder={t('reports:sumFrom')}
      currency="USD"
      w={190}
      maw="100%"
      value={typed}
      onChange={(value) => {
        setTyped(value);
        set(value);
      }}
    />
  );
}
