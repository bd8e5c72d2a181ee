import { describe, expect, it } from 'vitest';
import inEnglish from '~/entities/i18n/en.json';
import inSpanish from '~/entities/i18n/es.json';
import english from '~/features/audit/i18n/en.json';
import spanish from '~/features/audit/i18n/es.json';
import {
  accountParts,
  fieldName,
  isRecord,
  isTransferCode,
  namedParts,
  sortOf,
} from '~/features/audit/inWords';
import { linesIn } from '~/features/audit/values';
import { EVENT_TYPES } from '~/features/audit/words';

/** Every event of every version that the log may hold. */
const events = Object.values(
  import.meta.glob<{ type: string }>('../../domain/tests/golden/*.json', { eager: true, import: 'default' }),
);
const lines = events.flatMap((event) => linesIn(event));

/** Words that the program chose among a few, not those of a person, a place or a name. */
const CHOSEN: ReadonlySet<string> = new Set([
  'kind',
  'method',
  'origin',
  'outcome',
  'refused',
  'role',
  'status',
  'utilityType',
  'personalIdentificationType',
]);

it('reads the events', () => {
  expect(events.length).toBeGreaterThan(30);
});

describe.each([
  ['es', spanish, inSpanish],
  ['en', english, inEnglish],
] as const)('the audit in %s', (_, texts, shared) => {
  it('names every field of every event', () => {
    const unnamed = lines.flatMap(({ path }) =>
      namedParts(path)
        .map(({ field }) => field)
        // Terms stand under their group, which has a name.
        .filter((field) => !isRecord(field) && !(field in texts.fields)),
    );
    expect([...new Set(unnamed)].sort()).toEqual([]);
  });

  it('names every account', () => {
    const kinds = lines
      .filter(({ path, value }) => sortOf(path, value) === 'account')
      .map(({ value }) => accountParts(value).kind);
    expect(kinds.length).toBeGreaterThan(10);
    expect([...new Set(kinds)].filter((kind) => !(kind in shared.accounts))).toEqual([]);
  });

  it('says why of every transfer', () => {
    const codes = lines.filter(({ path }) => isTransferCode(path)).map(({ value }) => value);
    expect(codes.length).toBeGreaterThan(10);
    expect([...new Set(codes)].filter((code) => !(code in shared.transfers))).toEqual([]);
  });

  it('names every enumerated value', () => {
    const known = { ...texts.said, ...shared.identification, ...shared.refusal };
    const unsaid = lines
      .filter(({ path, value }) => {
        const field = fieldName(path.split('.').at(-1) ?? '');
        return (
          CHOSEN.has(field) &&
          sortOf(path, value) === 'text' &&
          !(value in known || fieldName(value) in known)
        );
      })
      .map(({ path, value }) => `${path}: ${value}`);
    expect([...new Set(unsaid)].sort()).toEqual([]);
  });
});

it('every type of event can be chosen in the log', () => {
  const types = new Set(events.map(({ type }) => type));
  expect([...types].filter((type) => !(EVENT_TYPES as readonly string[]).includes(type)).sort()).toEqual([]);
});
