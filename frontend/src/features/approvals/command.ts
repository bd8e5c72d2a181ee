import type { ProposalDetail, ReviewFile } from '~/api';
import type { Texts } from '~/shared/lib/texts';
import type { Fact } from '~/shared/ui/Facts';

/** The commands that a rule may cover, by the name that the log has. */
const COMMANDS = [
  'setApprovalRule',
  'removeApprovalRule',
  'setLimitRule',
  'removeLimitRule',
  'setScreening',
  'loadOwnList',
  'removeOwnList',
  'setSignOn',
  'definePermissionSet',
  'setOfficeAccess',
  'addCurrency',
  'changeCurrency',
  'changeMunicipality',
  'createPaymentGroup',
  'changePaymentGroup',
  'registerParty',
  'changeParty',
  'endSecondFactors',
  'setTerms',
  'addCard',
  'decidePair',
  'editAmount',
  'cancel',
  'reviewHold',
  'deposit',
  'open',
  'transfer',
  'expense',
  'reverse',
  'close',
  'changeRates',
  'undoRates',
] as const;
type CommandName = (typeof COMMANDS)[number];

/** Values that are told as they are, by the path within the command, with the key of their label. */
const TOLD = {
  'register.details.name': 'approvals:command.name',
  'register.details.email': 'approvals:command.email',
  'change.details.name': 'approvals:command.name',
  'change.details.email': 'approvals:command.email',
  'provider.url': 'approvals:command.provider',
  'card.number': 'approvals:command.card',
  'change.creditLimit': 'approvals:command.creditLimit',
  'change.exchangeRate': 'approvals:command.rate',
  'currency.exchangeRate': 'approvals:command.rate',
  'currency.distributionRate': 'approvals:command.fee',
  'settings.distributionFee.amount': 'approvals:command.fee',
  'settings.distributionFee.currency': 'approvals:command.feeCurrency',
  'edit.amount': 'approvals:command.newAmount',
  'deposit.note': 'approvals:command.note',
  'transfer.note': 'approvals:command.note',
  'expense.concept': 'approvals:command.note',
  'rule.amount': 'approvals:command.limitAmount',
  'rule.count': 'approvals:command.limitCount',
  'list.name': 'approvals:command.list',
  'list.entries': 'approvals:command.entries',
  name: 'approvals:command.list',
  reason: 'approvals:command.reason',
  'review.reason': 'approvals:command.reason',
  'pair.list': 'approvals:command.list',
  'pair.reason': 'approvals:command.reason',
  'currency.code': 'approvals:command.currency',
} as const;

/** Values of enumerations, by the path within the command, with the key of their label. */
const NAMED = {
  'rule.side': 'approvals:command.side',
  'rule.window': 'approvals:command.window',
  'rule.outcome': 'approvals:command.outcome',
} as const;
const VALUES = [
  'sender',
  'recipient',
  'sale',
  'day',
  'days7',
  'days30',
  'days365',
  'needs',
  'hold',
  'refuse',
] as const;

/** The chosen lists with their thresholds. */
function listsIn(command: unknown): string | undefined {
  const { rule } = (command ?? {}) as { rule?: { lists?: Record<string, number> } };
  if (!rule?.lists) return undefined;
  const lists = Object.entries(rule.lists).map(([name, threshold]) => `${name} (${threshold} %)`);
  return lists.join(', ') || '–';
}

/** The names of the listed person that a customer is told apart from. */
function listedIn(command: unknown): string | undefined {
  const { pair } = (command ?? {}) as { pair?: { listed?: { names?: string[] } } };
  return pair?.listed?.names?.join(' · ');
}

/** The text or number at a path of a command; undefined where there is none. */
function valueAt(command: unknown, path: string): string | undefined {
  let value: unknown = command;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Files that the maker attached to a review. */
export function filesIn(command: ProposalDetail['command']): ReviewFile[] {
  const { review, pair } = (command ?? {}) as Record<string, { files?: string[] } | undefined>;
  return (review?.files ?? pair?.files ?? []).map((id) => ({ id, url: `/api/files/${id}` }));
}

/** A proposed command in words: what is done, and what its maker typed. Nothing after an erasure. */
export function commandFacts(t: Texts, command: unknown): Fact[] {
  const name = valueAt(command, 'command');
  const known = COMMANDS.find((one): one is CommandName => one === name);
  if (!known) return [];
  const told = Object.entries(TOLD).flatMap(([path, label]) => {
    const value = valueAt(command, path);
    return value ? [{ key: path, label: t(label), value }] : [];
  });
  const named = Object.entries(NAMED).flatMap(([path, label]) => {
    const found = valueAt(command, path);
    const value = VALUES.find((one) => one === found);
    return value ? [{ key: path, label: t(label), value: t(`approvals:values.${value}`) }] : [];
  });
  const lists = listsIn(command);
  const listed = listedIn(command);
  return [
    { label: t('approvals:command.what'), value: t(`approvals:commands.${known}`) },
    ...named,
    ...told,
    ...(listed ? [{ label: t('approvals:command.listed'), value: listed }] : []),
    ...(lists === undefined ? [] : [{ label: t('approvals:command.lists'), value: lists }]),
  ];
}
