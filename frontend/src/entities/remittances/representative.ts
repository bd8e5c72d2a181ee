import type { Remittance } from '~/api';
import type { Texts } from '~/shared/lib/texts';

/** Who may take it in the recipient's place, as the seller wrote it down. */
export function representativeOf(t: Texts, { representative }: Pick<Remittance, 'representative'>): string {
  if (!representative) return t('entities:proof.noRepresentative');
  return [representative.name, representative.identificationNumber, representative.phoneNumber]
    .filter(Boolean)
    .join(' · ');
}
