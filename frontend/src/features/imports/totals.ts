import type { ImportDetail } from '~/api';

const TOTAL = /^([A-Z]{3})[ :=]+(-?\d+(?:\.\d{1,2})?)$/;

/** Totals by currency from a text like `CUP 480000.00; USD 1530.00`; `null` for another text. */
export function totalsOf(text: string): Record<string, string> | null {
  const totals: Record<string, string> = {};
  for (const part of text.split(/[;\n]/)) {
    const trimmed = part.trim().toUpperCase();
    if (!trimmed) continue;
    const [, currency, total] = TOTAL.exec(trimmed) ?? [];
    if (!currency || !total || currency in totals) return null;
    totals[currency] = total;
  }
  return totals;
}

const WITH_TOTALS: readonly ImportDetail['kind'][] = ['remittances', 'completions', 'openings'];

/** Whether rows of a kind pay out or open something. */
export function hasTotals(kind: ImportDetail['kind']): boolean {
  return WITH_TOTALS.includes(kind);
}

/** Whether a run of a kind needs the totals of another system. */
export function needsTotals(kind: ImportDetail['kind']): boolean {
  return kind === 'openings';
}
