import type { ParseKeys, TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

/** Every namespace of texts; each is a folder's i18n/{es,en}.json. */
export const NAMESPACES = [
  'common',
  'auth',
  'entities',
  'remittances',
  'delivery',
  'disputes',
  'imports',
  'issuers',
  'recipients',
  'dealers',
  'agencies',
  'agents',
  'nomenclators',
  'users',
  'keys',
  'webhooks',
  'approvals',
  'screening',
  'limits',
  'account',
  'dashboard',
  'balances',
  'movements',
  'debits',
  'accounting',
  'reports',
  'audit',
] as const;
export type Namespace = (typeof NAMESPACES)[number];
export type Texts = TFunction<Namespace[]>;
/** A key with its namespace, `remittances:list.title`; scripts/check-texts.mjs finds keys by this form. */
export type TextKey = Extract<ParseKeys<Namespace[]>, `${Namespace}:${string}`>;

export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
const LOCALES = { es: 'es-ES', en: 'en-US' } as const;

/**
 * The translating function. It reads the namespaces that the router loaded for the screen; asking the hook for
 * them all would load them all.
 */
export function useTexts(): Texts {
  return useTranslation('common').t as unknown as Texts;
}

/** The reader's language. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return i18n.language === 'en' ? 'en' : 'es';
}

/** The locale of a language's numbers and dates. */
export function localeOf(language: string | undefined): 'es-ES' | 'en-US' {
  return language === 'en' ? LOCALES.en : LOCALES.es;
}

/** The reader's locale for numbers and dates. */
export function useLocale(): 'es-ES' | 'en-US' {
  return LOCALES[useLanguage()];
}
