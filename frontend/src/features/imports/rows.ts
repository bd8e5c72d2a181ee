import type { ImportRow, ImportRowError, ImportRowResult } from '~/api';
import { messageOf } from '~/shared/lib/problem';

/** An error in words, with its figures in the reader's way. */
export function errorText(error: ImportRowError): string {
  return messageOf(error) || error.detail;
}

/** What a row shows: that it is left out, its result, or else what the preview says. */
export function shownResult(row: ImportRow): ImportRowResult | null {
  return row.leftOut ? 'leftOut' : (row.result ?? row.preview);
}
