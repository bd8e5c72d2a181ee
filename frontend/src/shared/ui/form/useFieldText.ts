import { NAMESPACES, type TextKey, useTexts } from '~/shared/lib/texts';

/** A field's message as text: schemas have text keys, the server sends sentences. */
export function useFieldText(message: string | undefined): string | undefined {
  const t = useTexts();
  if (!message) return undefined;
  const isKey = NAMESPACES.some((namespace) => message.startsWith(`${namespace}:`));
  return isKey ? t(message as TextKey) : message;
}
