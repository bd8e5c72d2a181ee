import type { IdentificationType } from '~/api';
import type { TextKey } from '~/shared/lib/texts';

/** Kinds of identity documents, in the order of the select; the numbers are the API's. */
export const IDENTIFICATION_TYPES: readonly { type: IdentificationType; label: TextKey }[] = [
  { type: 0, label: 'entities:identification.ci' },
  { type: 1, label: 'entities:identification.passport' },
  { type: 5, label: 'entities:identification.driverLicense' },
  { type: 3, label: 'entities:identification.alienCard' },
  { type: 6, label: 'entities:identification.idOfficial' },
  { type: 4, label: 'entities:identification.passportCardUs' },
  { type: 2, label: 'entities:identification.socialSecurity' },
];

/** A document's type as a select holds it. */
export function identificationValue(type: IdentificationType | null): string | null {
  return type === null ? null : String(type);
}

/** A select's value as a request carries it. */
export function readIdentification(value: string | null): IdentificationType | null {
  return IDENTIFICATION_TYPES.find(({ type }) => String(type) === value)?.type ?? null;
}

/** Types that one country alone issues: it is not asked for. */
const OF_ONE_COUNTRY: ReadonlySet<string> = new Set(['0', '2', '4']);

export function impliesCountry(type: string | null): boolean {
  return type !== null && OF_ONE_COUNTRY.has(type);
}
