import type {
  LimitRule,
  PublicLimitNeed,
  PublicLimitOutcome,
  PublicLimitSide,
  PublicLimitWindow,
} from '~/api';
import { formatMoney } from '~/shared/lib/decimal';
import type { Texts } from '~/shared/lib/texts';

/** Keys of a table that has every value of an enumeration of the contract, in the order of the choice. */
const all = <T extends string>(every: Record<T, true>) => Object.keys(every) as T[];
export const SIDES = all<PublicLimitSide>({ sender: true, recipient: true });
export const WINDOWS = all<PublicLimitWindow>({
  sale: true,
  day: true,
  days7: true,
  days30: true,
  days365: true,
});
export const OUTCOMES = all<PublicLimitOutcome>({ needs: true, hold: true, refuse: true });
export const NEEDS = all<PublicLimitNeed>({ document: true, purpose: true, source_of_funds: true });

export const sideName = (t: Texts, side: PublicLimitSide) => t(`limits:sides.${side}`);
export const windowName = (t: Texts, window: PublicLimitWindow) => t(`limits:windows.${window}`);
export const outcomeName = (t: Texts, outcome: PublicLimitOutcome) => t(`limits:outcomes.${outcome}`);
export const needName = (t: Texts, need: PublicLimitNeed) => t(`limits:needs.${need}`);

/** A rule as sentences. `groupName` gives the name of a payment group. */
export function ruleInWords(
  t: Texts,
  locale: string,
  rule: LimitRule,
  groupName: (id: string) => string,
): string {
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  const either = new Intl.ListFormat(locale, { type: 'disjunction' });
  const limits = [
    rule.amount && t('limits:usd', { amount: formatMoney(rule.amount, locale) }),
    rule.count !== null && rule.count !== undefined && t('limits:times', { count: rule.count }),
  ].filter((limit) => typeof limit === 'string');
  const who = t('limits:who', {
    side: sideName(t, rule.side).toLocaleLowerCase(locale),
    window: windowName(t, rule.window),
  });
  const among =
    rule.groups.length > 0 && t('limits:among', { groups: list.format(rule.groups.map(groupName)) });
  const upTo = t('limits:upTo', { limit: either.format(limits) });
  const needs = list.format(rule.needs.map((need) => needName(t, need)));
  return [who, among, upTo, t(`limits:then.${rule.outcome}`, { needs })].filter(Boolean).join(' ');
}
