/** Formatting of times and days. Times arrive as RFC 3339 in UTC and are shown in the tenant's zone. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${JSON.stringify(options)}`;
  let made = formatters.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    formatters.set(key, made);
  }
  return made;
}

/** "21 nov 2026, 14:05". */
export function formatDateTime(time: string, locale: string, zone: string): string {
  return formatter(locale, zone, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time));
}

/** "21 nov 2026, 14:05:09": where the order of things matters. */
export function formatMoment(time: string, locale: string, zone: string): string {
  return formatter(locale, zone, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(time));
}

/** "21 nov", with the year when it is not the current one. */
export function formatDay(time: string, locale: string, zone: string, now = new Date()): string {
  const year = (of: Date) => formatter(locale, zone, { year: 'numeric' }).format(of);
  const date = new Date(time);
  if (year(date) !== year(now)) return formatter(locale, zone, { dateStyle: 'medium' }).format(date);
  return formatter(locale, zone, { day: 'numeric', month: 'short' }).format(date);
}

/** "14:05". */
export function formatTime(time: string, locale: string, zone: string): string {
  return formatter(locale, zone, { timeStyle: 'short' }).format(new Date(time));
}

/** "2026-11-21" (a picker's day) → "20261121" (a filter's day). */
export function toFilterDay(day: string | null): string | undefined {
  return day ? day.slice(0, 10).replaceAll('-', '') : undefined;
}

/** "20261121" → "2026-11-21"; null when it is no day. */
export function fromFilterDay(day: string | undefined): string | null {
  const match = day ? /^(\d{4})(\d{2})(\d{2})$/.exec(day) : null;
  return match ? `${match[1]}-${match[2]}-${match[3]}` : null;
}

/** Today in a time zone, as a calendar day ("2026-11-21"). */
export function todayIn(zone: string, now = new Date()): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now);
}

/** "20261121" (a server's day) → "21 nov". A calendar day has no zone. */
export function formatCalendarDay(day: string, locale: string, withYear = false): string {
  const date = new Date(`${fromFilterDay(day)}T00:00:00Z`);
  if (withYear) return formatter(locale, 'UTC', { dateStyle: 'medium' }).format(date);
  return formatter(locale, 'UTC', { day: 'numeric', month: 'short' }).format(date);
}

/** "20261101" (the first day of a month) → "nov 2026". */
export function formatCalendarMonth(day: string, locale: string): string {
  const date = new Date(`${fromFilterDay(day)}T00:00:00Z`);
  return formatter(locale, 'UTC', { month: 'short', year: 'numeric' }).format(date);
}

/** "2026-11-21" → "21 nov 2026": a calendar day. */
export function formatCalendarDate(day: string, locale: string): string {
  return formatter(locale, 'UTC', { dateStyle: 'medium' }).format(new Date(`${day}T00:00:00Z`));
}
