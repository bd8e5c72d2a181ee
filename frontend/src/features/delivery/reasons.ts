import type { AttemptReason } from '~/api';

/** Why an attempt fails, the commonest first. */
export const REASONS: readonly AttemptReason[] = [
  'nobodyHome',
  'noAnswer',
  'wrongAddress',
  'noDocument',
  'postponed',
  'refused',
  'unreachable',
];
