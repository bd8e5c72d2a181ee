/** Folders of namespaces that are not features. */
const FOLDERS: Partial<Record<string, string>> = { common: 'shared', entities: 'entities' };

/** Folder of a namespace's `i18n`, below `src`; the build reads it too. */
export const textFolder = (namespace: string): string => FOLDERS[namespace] ?? `features/${namespace}`;
