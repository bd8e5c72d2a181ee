import type { Plugin } from 'vite';

/** The texts that the login page shows. */
const NAMESPACES = ['shared', 'features/auth'];

/**
 * Names in the page, by language, the files with the login page's texts: `theme.js` requests those of the reader's language
 * beside the scripts. Without it they were requested one after the other, when the scripts had run.
 */
export function firstTexts(languages: readonly string[]): Plugin {
  return {
    name: 'first-texts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const built = Object.values(bundle ?? {});
        const fileOf = (source: string) => {
          const found = built.find((one) => one.type === 'chunk' && one.facadeModuleId?.endsWith(source));
          if (!found) throw new Error(`the login page needs ${source}, which is no file of its own`);
          return `/${found.fileName}`;
        };
        const texts = languages.map((language) => {
          const files = NAMESPACES.map((folder) => fileOf(`/src/${folder}/i18n/${language}.json`));
          return ` data-texts-${language}="${files.join(' ')}"`;
        });
        return html.replace('<html', `<html${texts.join('')}`);
      },
    },
  };
}
