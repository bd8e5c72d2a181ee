import { useCallback } from 'react';
import type { TodaysRate } from '~/api';
import { useTexts } from '~/shared/lib/texts';

type Owner = Pick<TodaysRate, 'kind' | 'party' | 'agency'>;

/** In words whose rate it is. */
export function useOwnerName(): (owner: Owner) => string {
  const t = useTexts();
  return useCallback(
    ({ kind, party, agency }) => {
      if (kind === 'reference') return t('nomenclators:rates.scope.reference');
      if (kind === 'catalogue') return t('nomenclators:rates.scope.catalogue');
      return [party?.name ?? party?.id, agency?.name].filter(Boolean).join(' · ');
    },
    [t],
  );
}
