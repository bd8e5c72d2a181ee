import { kinds, useListPermissionSetsQuery } from '~/api';
import { type Texts, useTexts } from '~/shared/lib/texts';

/** Every area, in the order of the screens. */
export const AREAS = kinds.officeAreas;

const TEMPLATES = ['auditor', 'accountant', 'operations', 'compliance', 'cashier'] as const;

/** Name of a permission set: a template's word, or the tenant's own. */
export function setName(t: Texts, { id, name }: { id: string; name?: string | null }): string {
  const template = TEMPLATES.find((known) => known === id);
  return template ? t(`users:sets.templates.${template}`) : (name ?? id);
}

/** Options for what a member of the office may do; the empty one is everything. */
export function useSetOptions(skip = false): { value: string; label: string; disabled?: boolean }[] {
  const t = useTexts();
  const { data } = useListPermissionSetsQuery(undefined, { skip });
  const sets = (data?.results ?? []).map((set) => ({
    value: set.id,
    label: setName(t, set),
    disabled: !set.mayGive,
  }));
  return [{ value: EVERYTHING, label: t('users:access.everything') }, ...sets];
}

/** Choice of no permission set. */
export const EVERYTHING = 'everything';

/** Choices of the end of an access, in days from now. */
export const DAYS = ['1', '7', '30', '90', '365'] as const;
export const NEVER = 'never';
export const KEEP = 'keep';
const DAY_MS = 86_400_000;

/** The moment of a choice. */
export function endOf(choice: string, present: string | null): string | null {
  if (choice === KEEP) return present;
  if (choice === NEVER) return null;
  return new Date(Date.now() + Number(choice) * DAY_MS).toISOString();
}
