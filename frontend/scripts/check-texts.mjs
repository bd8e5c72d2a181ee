// Every text key that the code names exists in both languages, every key that exists is named, and both
// languages take the same parameters. Keys are always written with their namespace (`remittances:list.title`);
// a template's hole (`remittances:status.${name}`) stands for any one part.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readWords, withWords } from './words.mjs';

const ROOT = resolve(import.meta.dirname, '../src');
const LANGUAGES = ['es', 'en'];
const PLURAL = /_(zero|one|two|few|many|other)$/;

function flatten(value, prefix = '') {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [[prefix + key, inner]] : flatten(inner, `${prefix}${key}.`),
  );
}

const folders = { common: join(ROOT, 'shared/i18n'), entities: join(ROOT, 'entities/i18n') };
for (const feature of readdirSync(join(ROOT, 'features'))) {
  const folder = join(ROOT, 'features', feature, 'i18n');
  if (existsSync(folder)) folders[feature] = folder;
}

const words = Object.fromEntries(LANGUAGES.map((language) => [language, readWords(language)]));

const wrong = [];
/** namespace:key without plural ending → language → texts */
const known = new Map();
for (const [namespace, folder] of Object.entries(folders)) {
  for (const language of LANGUAGES) {
    const written = readFileSync(join(folder, `${language}.json`), 'utf8');
    for (const [key, text] of flatten(JSON.parse(withWords(written, words[language])))) {
      const name = `${namespace}:${key.replace(PLURAL, '')}`;
      if (!text.trim()) wrong.push(`${name} is empty in ${language}`);
      const texts = known.get(name) ?? { es: [], en: [] };
      texts[language].push(text);
      known.set(name, texts);
    }
  }
}

const holes = (texts) =>
  [...new Set(texts.flatMap((text) => text.match(/\{\{\w+\}\}/g) ?? []))].sort().join();
for (const [name, texts] of known) {
  for (const language of LANGUAGES)
    if (texts[language].length === 0) wrong.push(`${name} is missing in ${language}`);
  if (holes(texts.es) !== holes(texts.en)) wrong.push(`${name} takes other parameters in es than in en`);
}

const used = new Set();
const spaces = Object.keys(folders).join('|');
const KEY = new RegExp(`['"\`]((?:${spaces}):(?:\\$\\{[^}]*\\}|[\\w.])+)['"\`]`, 'g');
for (const entry of readdirSync(ROOT, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  for (const [, key] of readFileSync(file, 'utf8').matchAll(KEY)) {
    const pattern = new RegExp(`^${key.replace(/\./g, '\\.').replace(/\$\{[^}]*\}/g, '[^.:]+')}$`);
    const found = [...known.keys()].filter((name) => pattern.test(name));
    if (found.length === 0) wrong.push(`${key} (${entry.name}) does not exist`);
    for (const name of found) used.add(name);
  }
}

// The audit names every field of every event.
const catalogue = readFileSync(resolve(ROOT, '../../docs/events.md'), 'utf8');
const fields = new Set([...catalogue.matchAll(/^\| `([A-Za-z]+)\??` \|/gm)].map(([, field]) => field));
if (fields.size < 100) wrong.push('the event catalogue names too few fields to be read right');
// So do the lists of events, and the bell says what each of them was.
for (const [, event] of catalogue.matchAll(/^### ([A-Za-z]+)\n\nVersion/gm))
  for (const name of [`entities:events.${event}`, `entities:notices.did.${event}`])
    if (!known.has(name)) wrong.push(`${name} does not exist`);
for (const field of fields)
  if (!known.has(`audit:fields.${field}`)) wrong.push(`audit:fields.${field} does not exist`);

for (const name of known.keys()) if (!used.has(name)) wrong.push(`${name} is not used`);

if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
