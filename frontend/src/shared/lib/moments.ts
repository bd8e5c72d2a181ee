/** Wall-clock times of a zone and the moments that they name. A time is written "2026-11-21 14:05:00", without a zone. */

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

/** A moment (RFC 3339) as a zone's clocks show it; null when it is none. */
export function toWallClock(moment: string | undefined, zone: string): string | null {
  const time = moment ? Date.parse(moment) : Number.NaN;
  return Number.isNaN(time) ? null : wallClock(time, zone);
}

/**
 * The moment at which a zone's clocks show a time. Of the hour that is there twice when clocks go back it is the
 * second one, so that "as of then" leaves nothing out; the hour that is not there is read as the one after it.
 */
export function toMoment(wall: string, zone: string): string {
  const wanted = asUtc(wall);
  const offset = (at: number) => asUtc(wallClock(at, zone)) - Math.floor(at / 1000) * 1000;
  // Offsets half a day around it are those before and after any change of the clocks near it.
  const half = 43_200_000;
  const candidates = [wanted - offset(wanted - half), wanted - offset(wanted + half)];
  const showing = candidates.filter((at) => asUtc(wallClock(at, zone)) === wanted);
  return new Date(Math.max(...(showing.length > 0 ? showing : candidates))).toISOString();
}
