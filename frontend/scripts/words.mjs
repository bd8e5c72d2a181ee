// The words that server and interface share: src/shared/words/{es,en}.json. A text names one as `$word(agent)`; `lower`
// gives a small first letter, `a` and `A` the English article. They are put in when the texts are built.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../src/shared/words');
const NAMED = /\$word\((\w+)(?:, (\w+))?\)/g;

/** The file of a language. */
export function wordsFile(language) {
  return join(FOLDER, `${language}.json`);
}

/** The shared words of a language, by name. */
export function readWords(language) {
  return JSON.parse(readFileSync(wordsFile(language), 'utf8'));
}

function formed(word, form) {
  const lower = word.charAt(0).toLowerCase() + word.slice(1);
  if (!form) return word;
  if (form === 'lower') return lower;
  if (form === 'a' || form === 'A') return `${form}${/^[aeiou]/.test(lower) ? 'n' : ''} ${lower}`;
  throw new Error(`a word has no form ${form}`);
}

/** A text with the words that it names. */
export function withWords(text, words) {
  return text.replace(NAMED, (_, name, form) => {
    if (words[name] === undefined) throw new Error(`there is no word ${name}`);
    return formed(withWords(words[name], words), form);
  });
}

/** Names of the words in a text. */
export function namedIn(text) {
  return [...text.matchAll(NAMED)].map(([, name]) => name);
}
