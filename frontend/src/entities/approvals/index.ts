import type { NeededApproval, PublicApprovalKind, PublicRole } from '~/api';
import type { Texts } from '~/shared/lib/texts';

/** Who may approve, as a rule names them, with the keys of their names. */
const APPROVERS_NAMES = {
  manager: 'entities:approval.approvers.manager',
  agency: 'entities:approval.approvers.agency',
} as const satisfies Partial<Record<PublicRole, string>>;
export const APPROVERS = Object.keys(APPROVERS_NAMES) as (keyof typeof APPROVERS_NAMES)[];

/** What a rule of approvals covers. */
export const kindName = (t: Texts, kind: PublicApprovalKind) => t(`entities:approval.kinds.${kind}`);

/** Who approves. */
export const approversName = (t: Texts, approvers: string) =>
  t(APPROVERS_NAMES[approvers === 'agency' ? 'agency' : 'manager']);

/** Which rule asks for an approval of what is about to be sent. */
export const whichRuleAsks = (t: Texts, { kind, approvers, expiresAfterHours }: NeededApproval) =>
  t('entities:approval.asks', {
    kind: kindName(t, kind),
    approvers: approversName(t, approvers),
    count: expiresAfterHours,
  });
