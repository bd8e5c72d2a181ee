import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { namedIn, readWords, withWords } from '../scripts/words.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const WORDS = { es: readWords('es'), en: readWords('en') };
const NAMES = Object.keys(WORDS.es);

/** What people are called: no text of either side has one of these as plain letters. */
const PEOPLE = [
  ...['sender', 'senders', 'recipient', 'recipients', 'representative', 'representatives'],
  ...['dealer', 'dealers', 'deliveryMan', 'deliveryMen', 'agency', 'agencies', 'agent', 'agents'],
  ...['seller', 'sellers', 'manager'],
];

interface Text {
  where: string;
  es: string;
  en: string;
}

function flatten(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]): [string, string][] =>
    typeof inner === 'string' ? [[prefix + key, inner]] : flatten(inner, `${prefix}${key}.`),
  );
}

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => ending.test(path));
}

/** The interface's texts as they are written. */
const shown: Text[] = filesBelow('frontend/src', /\/i18n\/es\.json$/).flatMap((file) => {
  const english = new Map(flatten(JSON.parse(readFileSync(file.replace('es.json', 'en.json'), 'utf8'))));
  return flatten(JSON.parse(readFileSync(file, 'utf8'))).map(([key, es]) => ({
    where: `${file.slice(ROOT.length + 1)} ${key}`,
    es,
    // Spanish has a plural that English lacks.
    en: english.get(key) ?? english.get(key.replace(/_many$/, '_other')) ?? '',
  }));
});

/** The server's sources without their tests. */
const sources = ['projections/src', 'projections/export/src', 'api/src'].flatMap((folder) =>
  filesBelow(folder, /\.rs$/).map((file) => ({
    where: file.slice(ROOT.length + 1),
    source: readFileSync(file, 'utf8').split('#[cfg(test)]')[0] ?? '',
  })),
);

/** The server's own texts: two literals, Spanish before English. */
const said: Text[] = sources.flatMap(({ where, source }) =>
  [
    /\bWords::new\(\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"/g,
    ...(where === 'api/src/catalogue.rs' ? [/^ {4}"\w+": "((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)";/gm] : []),
  ].flatMap((pair) => [...source.matchAll(pair)].map(([, es = '', en = '']) => ({ where, es, en }))),
);

it('reads the texts of both sides', () => {
  expect(NAMES.length).toBeGreaterThan(250);
  expect(shown.length).toBeGreaterThan(1_000);
  expect(said.length).toBeGreaterThan(200);
});

it('has every word in both languages, in order, with the same values', () => {
  expect(Object.keys(WORDS.en)).toEqual(NAMES);
  expect(NAMES).toEqual([...NAMES].sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)));
  const holes = (text = '') => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const name of NAMES) expect(holes(WORDS.en[name]), name).toEqual(holes(WORDS.es[name]));
});

it('uses every word', () => {
  const texts = [...shown.map(({ es }) => es), ...Object.values(WORDS.es)];
  const constants = sources.flatMap(({ source }) => [...source.matchAll(/\bword::([A-Z][A-Z_\d]*)\b/g)]);
  const used = new Set([
    ...texts.flatMap(namedIn),
    ...constants.map(([, name = '']) =>
      name.toLowerCase().replace(/_(\w)/g, (_, letter) => letter.toUpperCase()),
    ),
  ]);
  expect(NAMES.filter((name) => !used.has(name))).toEqual([]);
});

it('no text of the server stands in the interface too', () => {
  const interfaces = new Map(shown.map(({ where, es }) => [withWords(es, WORDS.es), where]));
  expect(said.filter(({ es }) => interfaces.has(es)).map((text) => [text, interfaces.get(text.es)])).toEqual(
    [],
  );
});

it('no text is a shared word written again', () => {
  const words = new Set(
    NAMES.map((name) => [WORDS.es, WORDS.en].map((all) => withWords(`$word(${name})`, all)).join()),
  );
  const again = [...shown, ...said].filter(({ es, en }) => words.has([es, en].join()));
  expect(again).toEqual([]);
});

it.each(['es', 'en'] as const)('people are called by their words in %s', (language) => {
  const people = PEOPLE.map((name) => WORDS[language][name]).join('|');
  const plain = new RegExp(`(?<![\\p{L}{])(?:${people})(?![\\p{L}}])`, 'iu');
  const words = NAMES.filter((name) => !PEOPLE.includes(name)).map((name) => ({
    where: name,
    es: WORDS.es[name] ?? '',
    en: WORDS.en[name] ?? '',
  }));
  const wrong = [...shown, ...said, ...words].filter((text) =>
    plain.test(text[language].replace(/\$word\([^)]*\)/g, '')),
  );
  expect(wrong.map((text) => `${text.where}: ${text[language]}`)).toEqual([]);
});
