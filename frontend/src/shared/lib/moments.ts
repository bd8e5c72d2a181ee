/** Conversion between a zone's wall-clock times ("2026-11-21 14:05:00") and instants. */

interface Parts {
  [type: string]: string;
}

function wallClock(moment: number, zone: string): string {
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(moment);
  const parts: Parts = {};
  for (const { type, value } of made) parts[type] = value;
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second}`;
}

const asUtc = (wall: string): number => Date.parse(`${wall.replace(' ', 'T')}Z`);

/** An instant (RFC 3339) as wall-clock time; null when invalid. */
export function toWallClock(moment: string | undefined, zone: string): string | null {
  const time = moment ? Date.parse(moment) : Number.NaN;
  return Number.isNaN(time) ? null : wallClock(time, zone);
}

/**
 * The instant of a wall-clock time. A repeated hour maps to its second occurrence, so that "as of then" is inclusive; a
 * skipped hour maps to the following one.
 */
export function toMoment(wall: string, zone: string): string {
  const wanted = asUtc(wall);
  const offset = (at: number) => asUtc(wallClock(at, zone)) - Math.floor(at / 1000) * 1000;
  // Offsets half a day around cover any clock change near it.
  const half = 43_200_000;
  const candidates = [wanted - offset(wanted - half), wanted - offset(wanted + half)];
  const showing = candidates.filter((at) => asUtc(wallClock(at, zone)) === wanted);
  return new Date(Math.max(...(showing.length > 0 ? showing : candidates))).toISOString();
}
