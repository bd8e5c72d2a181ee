/** What a telephone dials. */
export function callLink(number: string): string {
  return `tel:${number.replace(/[^\d+]/g, '')}`;
}
