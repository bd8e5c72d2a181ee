import { NAMESPACES, type TextKey, useTexts } from '~/shared/lib/texts';

/** A field's message in words: schemas give text keys, the server gives sentences. */
export function useFieldText(message: string | undefined): string | undefined {
  const t = useTexts();
  if (!message) return undefined;
  const isKey = NAMESPACES.some((namespace) => message.startsWith(`${namespace}:`));
  return isKey ? t(message as TextKey) : message;
}
