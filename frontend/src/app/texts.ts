import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { keptLanguage } from '~/shared/lib/language';
import { retryingImport } from '~/shared/lib/retryingImport';
import { textFolder } from '~/shared/lib/textFolders';
import { LANGUAGES, type Namespace } from '~/shared/lib/texts';

/** One chunk per namespace and language. */
const files = import.meta.glob<{ default: object }>([
  '../shared/i18n/*.json',
  '../entities/i18n/*.json',
  '../features/*/i18n/*.json',
]);

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    const path = `../${textFolder(namespace)}/i18n/${language}.json`;
    const load = files[path];
    if (!load) {
      done(new Error(`no texts at ${path}`), false);
      return;
    }
    retryingImport(load).then(
      (module) => done(null, module.default),
      (failure: Error) => done(failure, false),
    );
  },
};

let started: Promise<void> | null = null;

/** Starts i18next with the texts that every screen needs; idempotent. */
export function startTexts(): Promise<void> {
  started ??= start().catch((failure: unknown) => {
    started = null;
    throw failure;
  });
  return started;
}

async function start(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: keptLanguage(),
      fallbackLng: false,
      supportedLngs: LANGUAGES,
      ns: ['common'] satisfies Namespace[],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
      returnNull: false,
    });
  await needTexts(['common']);
}

/** Loads a screen's texts before it renders. */
export async function loadTexts(namespaces: readonly Namespace[]): Promise<void> {
  // The router resolves the address before the application starts.
  await startTexts();
  await i18next.loadNamespaces([...namespaces]);
  await needTexts(namespaces);
}

/** Rejects when texts did not load: i18next would treat them as empty without a retry. */
async function needTexts(namespaces: readonly Namespace[]): Promise<void> {
  const language = i18next.language;
  const missing = () => namespaces.filter((name) => !i18next.hasResourceBundle(language, name));
  if (missing().length === 0) return;
  await i18next.reloadResources([language], missing());
  if (missing().length > 0) throw new Error(`no texts: ${missing().join(', ')}`);
}
