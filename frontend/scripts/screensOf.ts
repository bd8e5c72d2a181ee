import { runnerImport } from 'vite';
import { textFolder } from '../src/shared/lib/textFolders.ts';

/** What the build needs of a screen in src/app/routes.ts. */
interface Listed {
  path: string;
  roles: readonly string[];
  namespaces: readonly string[];
  load: () => unknown;
}

/** What a screen's `load` imports, as the module runner names it. */
const IMPORTED = /import[\w$]*\(["'`]\/(src\/[^"'`]+)["'`]\)/;
const LANGUAGES = ['es', 'en'];

/**
 * Keys in Vite's manifest of a role's screens and of their texts, from the table that the router has. `src` is the
 * folder of the sources.
 */
export async function screensOf(role: string, src: string): Promise<string[]> {
  const { module } = await runnerImport<{ SCREENS: readonly Listed[] }>(`${src}/app/routes.ts`, {
    configFile: false,
    root: `${src}/..`,
    resolve: { alias: { '~': src } },
    logLevel: 'error',
  });
  const keys = module.SCREENS.filter(({ roles }) => roles.includes(role)).flatMap(
    ({ path, load, namespaces }) => {
      const page = IMPORTED.exec(load.toString())?.[1];
      if (!page) throw new Error(`${path} is not loaded by one import: ${load}`);
      const texts = namespaces.flatMap((namespace) =>
        LANGUAGES.map((language) => `src/${textFolder(namespace)}/i18n/${language}.json`),
      );
      return [page, ...texts];
    },
  );
  return [...new Set(keys)].sort();
}
