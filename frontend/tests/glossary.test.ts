import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readWords, withWords } from '../scripts/words.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const LANGUAGES = ['es', 'en'] as const;
type Language = (typeof LANGUAGES)[number];

interface Text {
  where: string;
  text: string;
}

interface Forbidden {
  word: string;
  use: string;
}

/** The columns of the glossary's table: the thing, and in each language the word and the words in place of it. */
const COLUMNS = { es: { word: 2, not: 3 }, en: { word: 4, not: 5 } };

const glossary = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8');
const rows = glossary
  .split('\n')
  .filter((line) => /^\| [A-Z]/.test(line))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()));
const wordForWord = [...glossary.matchAll(/^- (.+)$/gm)].map(([, text]) => text ?? '');

function forbidden(language: Language): Forbidden[] {
  const { word, not } = COLUMNS[language];
  return rows.flatMap((row) =>
    (row[not] ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
      .map((one) => ({ word: one, use: row[word] ?? '' })),
  );
}

function flatten(value: object, prefix: string): Text[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [{ where: prefix + key, text: inner }] : flatten(inner, `${prefix}${key}.`),
  );
}

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The interface's texts, and the words that it shares with the server. */
function shown(language: Language): Text[] {
  const words = readWords(language);
  return filesBelow('frontend/src', new RegExp(`^${language}\\.json$`)).flatMap((file) =>
    flatten(JSON.parse(withWords(readFileSync(file, 'utf8'), words)), `${file.slice(ROOT.length + 1)} `),
  );
}

/** The server's own: pairs of literals, Spanish before English, in its catalogue, its files and documents, and its reports. */
const SERVER = [
  { folder: 'api/src', file: /^catalogue\.rs$/, pair: /"\w+": "((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)";/g },
  { folder: 'projections/src', file: /\.rs$/, pair: /\b(?:Words::new|Sum::new)\(\s*"([^"]*)",\s*"([^"]*)"/g },
];

function said(language: Language): Text[] {
  return SERVER.flatMap(({ folder, file, pair }) =>
    filesBelow(folder, file).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(pair)].map((found) => ({
        where: path.slice(ROOT.length + 1),
        text: found[language === 'es' ? 1 : 2] ?? '',
      })),
    ),
  );
}

/** The mails': what follows the arm of a language, up to the next arm. */
function mailed(language: Language): Text[] {
  const where = 'api/src/mail/texts.rs';
  const [texts = ''] = readFileSync(join(ROOT, where), 'utf8').split('#[cfg(test)]');
  const arms = texts.split(/Language::(Spanish|English)\) =>/);
  const name = language === 'es' ? 'Spanish' : 'English';
  return arms.flatMap((arm, index) =>
    arms[index - 1] !== name
      ? []
      : [...(arm.match(/"(?:[^"\\]|\\[\s\S])*"/g) ?? [])].map((text) => ({
          where,
          // A literal goes on in the next line after a backslash.
          text: text.replace(/\\\n\s*/g, '').replaceAll('\\n', ' '),
        })),
  );
}

/** The word or its plural and feminine, not as a part of another; what stands in braces is a value's name. */
function has(text: string, word: string): boolean {
  const plain = text.replace(/\{\{?\w+\}?\}/g, '');
  const stem = word.replace(/do$/, 'd[oa]');
  return new RegExp(`(?<![\\p{L}])${stem}(?:s|es)?(?![\\p{L}])`, 'iu').test(plain);
}

it('reads a table and all the texts there are', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const language of LANGUAGES) {
    expect(forbidden(language).length).toBeGreaterThan(20);
    expect(shown(language).length).toBeGreaterThan(1_000);
    expect(said(language).length).toBeGreaterThan(200);
    const heads = [...said(language), ...shown(language)].map(({ text }) => text);
    expect(heads).toEqual(
      expect.arrayContaining(
        language === 'es' ? ['Repartidor', 'Balance de comprobación'] : ['Delivery man', 'Trial balance'],
      ),
    );
    const mails = mailed(language).map(({ text }) => text);
    expect(mails.length).toBeGreaterThanOrEqual(7);
    expect(mails.join(' ')).toContain(language === 'es' ? 'sigue siendo la misma' : 'stays as it is');
  }
});

it.each([
  ['es', 'Dos mensajeros esperan', 'mensajero', true],
  ['es', 'Saldo dado', 'dado', true],
  ['es', 'Fue mandado', 'dado', false],
  ['en', 'Three couriers', 'courier', true],
  ['en', 'The {{courier}} left', 'courier', false],
] as const)('finds a word in %s: %s', (_language, text, word, found) => {
  expect(has(text, word)).toBe(found);
});

it.each(LANGUAGES)('no text in %s has another word than the glossary', (language) => {
  const words = forbidden(language);
  const wrong = [...shown(language), ...said(language), ...mailed(language)].flatMap(({ where, text }) => {
    const checked = wordForWord.reduce((rest, exact) => rest.replace(new RegExp(exact, 'i'), ''), text);
    return words
      .filter(({ word }) => has(checked, word))
      .map(({ word, use }) => `${where}: "${text}" says ${word}, not ${use}`);
  });
  expect(wrong).toEqual([]);
});
