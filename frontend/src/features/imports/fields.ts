import type { Texts } from '~/shared/lib/texts';
import type es from './i18n/es.json';

type FieldName = keyof typeof es.fields;
const PREFIXES = ['sender', 'recipient'] as const;

/** The name of a field in words: `senderPhoneNumber` is "Sender: telephone". */
export function fieldLabel(t: Texts, field: string): string {
  for (const prefix of PREFIXES) {
    const rest = field.slice(prefix.length);
    if (!field.startsWith(prefix) || !rest) continue;
    const name = (rest.charAt(0).toLowerCase() + rest.slice(1)) as FieldName;
    return t(`imports:of.${prefix}`, { field: t(`imports:fields.${name}`) });
  }
  const label = t(`imports:fields.${field as FieldName}`);
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** A column's header; its letter where it has none. */
export function columnName(t: Texts, headers: readonly string[], column: number): string {
  return headers[column] || t('imports:mapping.unnamed', { number: column + 1 });
}
