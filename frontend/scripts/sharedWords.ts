import type { Plugin } from 'vite';
import { readWords, withWords, wordsFile } from './words.mjs';

/** Puts the shared words into the texts. */
export function sharedWords(): Plugin {
  return {
    name: 'shared-words',
    enforce: 'pre',
    transform(texts, id) {
      const [, language] = /\/i18n\/(es|en)\.json$/.exec(id) ?? [];
      if (!language) return null;
      this.addWatchFile(wordsFile(language));
      return { code: withWords(texts, readWords(language)), map: null };
    },
  };
}
