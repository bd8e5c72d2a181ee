import type { ApprovalRule, PublicApprovalKind, PublicRole } from '~/api';
import { approversName } from '~/entities/approvals';
import { formatMoney } from '~/shared/lib/decimal';
import type { Texts } from '~/shared/lib/texts';

/** Every kind of command that a rule may cover, in the order of the choice: whether it has an amount. */
const HAS_AMOUNT = {
  assignment_on_cash: true,
  assignment_on_credit: true,
  credit_limit: true,
  terms_and_rates: false,
  reversal: true,
  expense: true,
  dealer_exchange: true,
  cancel_shipping: true,
  late_amount_edit: true,
  user: false,
  card_number: false,
  closing: false,
  hold_release: true,
  approval_rules: false,
  limit_rules: false,
  screening_rules: false,
} as const satisfies Record<PublicApprovalKind, boolean>;
export const KINDS = Object.keys(HAS_AMOUNT) as PublicApprovalKind[];
export const hasAmount = (kind: string | null) => kind !== null && HAS_AMOUNT[kind as PublicApprovalKind];

/** Keys of the makers' names. */
const MAKERS_NAMES = {
  manager: 'manager',
  agency: 'agency',
  external_agent: 'externalAgent',
  internal_agent: 'internalAgent',
  dealer: 'dealer',
  delivery_man: 'deliveryMan',
} as const satisfies Record<PublicRole, string>;
export const MAKERS = Object.keys(MAKERS_NAMES) as PublicRole[];

/** A maker as a rule names it, with its article. */
export const makerName = (t: Texts, role: PublicRole) => t(`approvals:makers.${MAKERS_NAMES[role]}`);

/** A rule as a sentence. */
export function ruleInWords(t: Texts, locale: string, rule: ApprovalRule): string {
  const makers = new Intl.ListFormat(locale, { type: 'disjunction' }).format(
    rule.makers.map((role) => makerName(t, role)),
  );
  const who = t('approvals:rules.who', { makers });
  const from = rule.fromAmount
    ? t('approvals:rules.from', { amount: formatMoney(rule.fromAmount, locale) })
    : hasAmount(rule.kind) && t('approvals:rules.always');
  const then = t('approvals:rules.then', {
    approvers: approversName(t, rule.approvers),
    count: rule.expiresAfterHours,
  });
  return [who, from, then].filter(Boolean).join(' ');
}
