import { expect, it } from 'vitest';
import { formatDateTime, formatDay, fromFilterDay, toFilterDay } from './dates';

const ZONE = 'America/Havana';

it("shows times in the tenant's zone, wherever the reader is", () => {
  expect(formatDateTime('2026-11-21T03:30:00Z', 'es-ES', ZONE)).toBe('20 nov 2026, 22:30');
});

it('leaves out the year only when it is this one, by the zone', () => {
  const now = new Date('2027-01-01T03:00:00Z');
  expect(formatDay('2026-12-31T20:00:00Z', 'es-ES', ZONE, now)).toBe('31 dic');
  expect(formatDay('2025-12-31T20:00:00Z', 'es-ES', ZONE, now)).toBe('31 dic 2025');
});

it('turns days into filters and back, and rubbish into nothing', () => {
  expect(toFilterDay('2026-11-21')).toBe('20261121');
  expect(fromFilterDay('20261121')).toBe('2026-11-21');
  expect(fromFilterDay('rubbish')).toBeNull();
});
