import type { Remittance } from '~/api';

/** The address as one line, as one would tell it to somebody. */
export function addressText({ address }: Pick<Remittance, 'address'>): string {
  return [address?.addressLine, address?.municipality, address?.province].filter(Boolean).join(', ');
}

/**
 * Where a map shows the address. Android hands `geo:` to whatever map is installed, also one that works without a
 * network; others have no such thing.
 */
export function mapLink(text: string, userAgent = navigator.userAgent): string {
  const sought = encodeURIComponent(`${text}, Cuba`);
  return /Android/i.test(userAgent)
    ? `geo:0,0?q=${sought}`
    : `https://www.openstreetmap.org/search?query=${sought}`;
}
