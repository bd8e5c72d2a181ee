import { describe, expect, it } from 'vitest';
import { toMoment, toWallClock } from './moments';

const HAVANA = 'America/Havana';

describe('moments', () => {
  it('are what the clocks of the zone show', () => {
    expect(toMoment('2026-11-21 14:05:00', HAVANA)).toBe('2026-11-21T19:05:00.000Z');
    expect(toMoment('2026-07-01 00:00:00', HAVANA)).toBe('2026-07-01T04:00:00.000Z');
    expect(toWallClock('2026-11-21T19:05:00Z', HAVANA)).toBe('2026-11-21 14:05:00');
  });

  it('are the second of an hour that is there twice', () => {
    // On 1 November 2026 at 1:00 Havana goes back to 0:00.
    expect(toMoment('2026-11-01 00:30:00', HAVANA)).toBe('2026-11-01T05:30:00.000Z');
  });

  it('go on after an hour that is not there', () => {
    // On 8 March 2026 at 0:00 Havana goes on to 1:00.
    expect(toMoment('2026-03-08 00:30:00', HAVANA)).toBe('2026-03-08T05:30:00.000Z');
    expect(toWallClock('2026-03-08T05:30:00.000Z', HAVANA)).toBe('2026-03-08 01:30:00');
  });

  it('are absent for an invalid address', () => {
    expect(toWallClock('yesterday', HAVANA)).toBeNull();
    expect(toWallClock(undefined, HAVANA)).toBeNull();
  });
});
