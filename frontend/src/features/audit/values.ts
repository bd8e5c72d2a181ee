/** What the log says, as lines of a path and a value: the form in which two states can be compared by eye. */

export interface Line {
  /** Field names with dots between them, places in a list in brackets. */
  path: string;
  value: string;
}

export interface Change {
  path: string;
  /** Null where there was nothing. */
  before: string | null;
  /** Null where there is nothing any more. */
  after: string | null;
}

/** A value without parts, as a reader takes it. */
function said(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The parts of a value; null where it has none of its own. */
function parts(value: unknown, path: string): [string, unknown][] | null {
  if (Array.isArray(value)) {
    return value.length > 0 ? value.map((inner, at) => [`${path}[${at + 1}]`, inner]) : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const fields = Object.entries(value);
  if (fields.length === 0) return null;
  return fields.map(([name, inner]) => [path ? `${path}.${name}` : name, inner]);
}

/** All of a value's lines, in its own order. What is null is not there. */
export function linesIn(value: unknown, path = ''): Line[] {
  if (value === null || value === undefined) return [];
  const inner = parts(value, path);
  if (!inner) return [{ path, value: said(value) }];
  return inner.flatMap(([name, part]) => linesIn(part, name));
}

/** The lines in which two values at a path differ, in the order of the later one, then what went. */
export function changesBetween(before: unknown, after: unknown, path = ''): Change[] {
  const old = new Map(linesIn(before, path).map((line) => [line.path, line.value]));
  const now = linesIn(after, path);
  const there = new Set(now.map((line) => line.path));
  return [
    ...now
      .filter((line) => old.get(line.path) !== line.value)
      .map((line) => ({ path: line.path, before: old.get(line.path) ?? null, after: line.value })),
    ...[...old]
      .filter(([at]) => !there.has(at))
      .map(([at, value]) => ({ path: at, before: value, after: null })),
  ];
}
