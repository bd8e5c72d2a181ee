import type { Texts } from '~/shared/lib/texts';

/** Why a delivery was refused when it was sent, by the refusal's code. */
const KNOWN = [
  'remittance_is_canceled',
  'remittance_is_completed',
  'remittance_is_in_error',
  'remittance_is_pending',
  'remittance_of_another',
  'remittance_was_edited',
] as const;

/** The refusal of a disputed delivery in the reader's words. */
export function refusalText(t: Texts, code: string): string {
  const known = KNOWN.find((one) => one === code);
  return known ? t(`entities:refusal.${known}`) : t('entities:refusal.other');
}
