import { useMemo } from 'react';
import { useProfile } from '~/api';
import { useLocale, useTexts } from '~/shared/lib/texts';

/** In whose words, formats and zone figures are shown. */
export function useReader() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone: zone } = useProfile();
  return useMemo(() => ({ t, locale, zone }), [t, locale, zone]);
}
