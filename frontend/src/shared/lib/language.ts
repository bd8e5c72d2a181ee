import i18next from 'i18next';
import { recall, remember } from './storage';
import { LANGUAGES, type Language } from './texts';

const KEY = 'caudal.language';

/** The language kept in local storage; Spanish when none is. */
export function keptLanguage(): Language {
  const kept = recall(KEY);
  return LANGUAGES.find((language) => language === kept) ?? 'es';
}

/** Switches the whole interface and remembers the choice. */
export async function switchLanguage(language: Language): Promise<void> {
  remember(KEY, language);
  await i18next.changeLanguage(language);
}
