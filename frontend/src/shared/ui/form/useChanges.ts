import { useRef } from 'react';
import { asProblem, CHANGED_SINCE_READ } from '~/shared/lib/problem';
import { type Texts, useTexts } from '~/shared/lib/texts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A current value as text; empty for values that have no readable form, such as ids. */
function inWords(t: Texts, value: unknown): string {
  if (value === null || value === undefined || value === '') return t('common:changed.empty');
  if (typeof value === 'boolean') return value ? t('common:yes') : t('common:no');
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || UUID.test(value)) return '';
  return value;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** A body with the value at a path such as `agencyCommission.rate` set inside its field. */
function setAt<Body extends object>(body: Body, path: string, value: unknown): Body {
  const [head = '', ...rest] = path.split('.');
  const inner = (body as Record<string, unknown>)[head];
  const part = rest.length > 0 && typeof inner === 'object' && inner !== null;
  return { ...body, [head]: part ? setAt(inner, rest.join('.'), value) : value };
}

/** The changed fields of a body, with `was`: their values as the form read them. */
export type Changes<Body> = Partial<Body> & { was: Partial<Body> };

/**
 * Sends only changed fields, with the values that the form had read: others' changes to other fields stay. Where both
 * changed the same field, the server refuses with the current value. Once that value is shown at the field, saving
 * again overwrites it. `named` gives the words for a field's value that is no text for people, such as a code.
 */
export function useChanges<Body extends object>(
  read: () => Body,
  named?: (field: string, value: unknown) => string | null,
) {
  const t = useTexts();
  // Initial values: the list behind the form may reload while the reader types.
  const base = useRef<Body | null>(null);
  base.current ??= read();

  /** The fields of a body that differ from the values that were read. */
  const changed = (body: Body): Partial<Body> => {
    const names = (Object.keys(body) as (keyof Body)[]).filter(
      (name) => !same(body[name], base.current?.[name]),
    );
    return Object.fromEntries(names.map((name) => [name, body[name]])) as Partial<Body>;
  };

  const send = async (fields: Partial<Body>, call: (changes: Changes<Body>) => Promise<unknown>) => {
    const before = (base.current ?? {}) as Body;
    const names = Object.keys(fields) as (keyof Body)[];
    // A value that is never read, such as a password, has no previous value.
    const was = Object.fromEntries(
      names.filter((name) => name in before).map((name) => [name, before[name] ?? null]),
    );
    try {
      await call({ ...fields, was } as Changes<Body>);
      base.current = { ...before, ...fields };
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (problem.code !== CHANGED_SINCE_READ) throw thrown;
      base.current = problem.fields.reduce((body, { field, now }) => setAt(body, field, now ?? null), before);
      const told = problem.fields.map((row) => {
        const value = named?.(row.field, row.now) ?? inWords(t, row.now);
        const hint = value ? t('common:changed.now', { value }) : t('common:changed.again');
        return { ...row, detail: `${row.detail} ${hint}` };
      });
      throw { ...problem, fields: told };
    }
  };

  return { changed, send };
}
