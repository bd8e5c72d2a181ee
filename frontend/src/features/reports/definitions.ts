import type { ReportName } from '~/api/reports';
import { STATUS } from '~/entities/remittances/status';
import type { Texts } from '~/shared/lib/texts';
import { pivotBars, rowBars } from './charts';
import { defineReport, type ReportDefinition, type ReportRow } from './definition';

const COMPLETED = 3;
const ERROR = 4;

/** Enumerations: a column of one says `...METHOD` in place of its kind. */
const METHOD = { kind: 'named', words: (name: string) => `remittances:method.${name}` } as const;
const CHANGE = {
  kind: 'named',
  words: (name: string) => `remittances:history.${name}`,
  holds: 'party',
} as const;
const SIDE = { kind: 'named', words: (name: string) => `reports:side.${name}` } as const;
const HOLD_REASON = { kind: 'named', words: (name: string) => `entities:holdReason.${name}` } as const;
const LIMIT_WINDOW = { kind: 'named', words: (name: string) => `reports:limitWindow.${name}` } as const;
const BRAND = { kind: 'named', words: (name: string) => `entities:brand.${name}` } as const;

/** A row's names after each other; the currency first, for rows of two currencies are two bars. */
const named =
  (...keys: string[]) =>
  (t: Texts, row: ReportRow): string =>
    keys.map((key) => row[key] ?? t('entities:erased')).join(' · ');

/** The reports, by their names. */
export const REPORTS: Record<ReportName, ReportDefinition> = {
  addressee: defineReport('addressee', {
    sort: 'recipient',
    filters: ['period'],
    more: ['status', 'currency', 'deliveryMethod', 'agencyId', 'agentId', 'dealerId', 'place'],
    columns: [
      { key: 'recipient', header: 'reports:columns.recipient', kind: 'text', card: 'title', holds: 'party' },
      { key: 'identification', header: 'reports:columns.identification', kind: 'text' },
      { key: 'phone', header: 'reports:columns.phone', kind: 'text', inDetail: true },
      { key: 'province', header: 'reports:columns.province', kind: 'text', inDetail: true },
      { key: 'municipality', header: 'reports:columns.municipality', kind: 'text' },
      { key: 'remittances', header: 'reports:columns.remittances', kind: 'count', total: true },
      { key: 'delivered', header: 'reports:columns.delivered', kind: 'count', total: true },
      { key: 'amount', header: 'reports:columns.amount', kind: 'usd', total: true },
      { key: 'payout', header: 'reports:columns.payout', kind: 'money', total: true },
      { key: 'last', header: 'reports:columns.last', kind: 'time', card: 'hidden' },
      { key: 'codes', header: 'reports:columns.codes', kind: 'text', unsorted: true, inDetail: true },
    ],
  }),
  agency: defineReport('agency', {
    sort: '-created',
    filters: ['period'],
    more: ['status', 'currency', 'deliveryMethod', 'agencyId', 'agentId'],
    columns: [
      { key: 'code', header: 'reports:columns.code', kind: 'code', card: 'title' },
      { key: 'created', header: 'reports:columns.date', kind: 'time' },
      { key: 'agency', header: 'reports:columns.agency', kind: 'text' },
      { key: 'agent', header: 'reports:columns.agent', kind: 'text', inDetail: true },
      { key: 'sender', header: 'reports:columns.sender', kind: 'text', holds: 'party' },
      { key: 'recipient', header: 'reports:columns.recipient', kind: 'text', holds: 'party' },
      { key: 'deliveryMethod', header: 'reports:columns.method', ...METHOD, inDetail: true },
      { key: 'status', header: 'reports:columns.status', kind: 'status', card: 'corner' },
      { key: 'amount', header: 'reports:columns.amount', kind: 'usd', total: true },
      { key: 'assignedPercent', header: 'reports:columns.assignedPercent', kind: 'percent', inDetail: true },
      { key: 'toPay', header: 'reports:columns.toPay', kind: 'usd', total: true },
      { key: 'totalToPay', header: 'reports:columns.totalToPay', kind: 'usd', total: true, inDetail: true },
      { key: 'payout', header: 'reports:columns.payout', kind: 'money', total: true },
    ],
  }),
  history: defineReport('history', {
    sort: '-at',
    filters: ['period', 'toStatus'],
    more: ['fromStatus', 'currency', 'agencyId', 'agentId', 'dealerId', 'deliveryManId'],
    columns: [
      { key: 'code', header: 'reports:columns.code', kind: 'code', card: 'title' },
      { key: 'at', header: 'reports:columns.date', kind: 'time' },
      { key: 'change', header: 'reports:columns.change', ...CHANGE },
      { key: 'fromStatus', header: 'reports:columns.fromStatus', kind: 'status', inDetail: true },
      { key: 'toStatus', header: 'reports:columns.toStatus', kind: 'status', card: 'corner' },
      { key: 'actor', header: 'reports:columns.actor', kind: 'text' },
      { key: 'dealer', header: 'reports:columns.dealer', kind: 'text', card: 'hidden' },
      { key: 'deliveryMan', header: 'reports:columns.deliveryMan', kind: 'text', inDetail: true },
      { key: 'recipient', header: 'reports:columns.recipient', kind: 'text', holds: 'party' },
      { key: 'reason', header: 'reports:columns.reason', kind: 'text', unsorted: true, holds: 'note' },
      { key: 'payout', header: 'reports:columns.payout', kind: 'money' },
    ],
  }),
  attorney: defineReport('attorney', {
    sort: '-completed',
    filters: ['period'],
    more: ['currency', 'agencyId', 'agentId', 'dealerId', 'deliveryManId', 'place'],
    columns: [
      { key: 'code', header: 'reports:columns.code', kind: 'code', card: 'title' },
      { key: 'completed', header: 'reports:columns.completed', kind: 'time' },
      { key: 'recipient', header: 'reports:columns.recipient', kind: 'text', holds: 'party' },
      { key: 'identification', header: 'reports:columns.identification', kind: 'text', inDetail: true },
      { key: 'representative', header: 'reports:columns.representative', kind: 'text', holds: 'party' },
      { key: 'representativeIdentification', header: 'reports:columns.representativeId', kind: 'text' },
      {
        key: 'representativePhone',
        header: 'reports:columns.representativePhone',
        kind: 'text',
        inDetail: true,
      },
      { key: 'province', header: 'reports:columns.province', kind: 'text', inDetail: true },
      { key: 'municipality', header: 'reports:columns.municipality', kind: 'text' },
      { key: 'deliveredBy', header: 'reports:columns.deliveredBy', kind: 'text' },
      { key: 'payout', header: 'reports:columns.paidOut', kind: 'money', total: true },
    ],
  }),
  distributionAgency: defineReport('distributionAgency', {
    sort: 'seller',
    filters: ['period'],
    more: ['currency', 'deliveryMethod', 'agencyId', 'agentId', 'dealerId', 'province'],
    columns: [
      { key: 'seller', header: 'reports:columns.agency', kind: 'text', card: 'title' },
      { key: 'dealer', header: 'reports:columns.dealer', kind: 'text' },
      { key: 'shipping', header: 'reports:columns.shipping', kind: 'count', total: true },
      { key: 'shippingPayout', header: 'reports:columns.shippingPayout', kind: 'money', total: true },
      { key: 'delivered', header: 'reports:columns.delivered', kind: 'count', total: true },
      { key: 'deliveredPayout', header: 'reports:columns.deliveredPayout', kind: 'money', total: true },
      { key: 'error', header: 'reports:columns.error', kind: 'count', total: true },
      {
        key: 'errorPayout',
        header: 'reports:columns.errorPayout',
        kind: 'money',
        total: true,
        inDetail: true,
      },
      {
        key: 'distributionFee',
        header: 'reports:columns.distributionFee',
        kind: 'money',
        total: true,
        inDetail: true,
      },
    ],
    chart: rowBars(named('currency', 'seller', 'dealer'), [
      { key: 'delivered', label: 'reports:columns.delivered', tone: 'good' },
      { key: 'shipping', label: 'reports:columns.shipping', tone: 'moving' },
      { key: 'error', label: 'reports:columns.error', tone: 'bad' },
    ]),
  }),
  distributor: defineReport('distributor', {
    sort: 'dealer',
    filters: ['period'],
    more: ['status', 'currency', 'deliveryMethod', 'agencyId', 'dealerId', 'deliveryManId', 'place'],
    columns: [
      { key: 'dealer', header: 'reports:columns.dealer', kind: 'text', card: 'title' },
      { key: 'status', header: 'reports:columns.status', kind: 'status', card: 'corner' },
      { key: 'remittances', header: 'reports:columns.remittances', kind: 'count', total: true },
      { key: 'amount', header: 'reports:columns.amount', kind: 'usd', total: true },
      { key: 'payout', header: 'reports:columns.payout', kind: 'money', total: true },
      { key: 'distributionFee', header: 'reports:columns.distributionFee', kind: 'money', total: true },
      { key: 'last', header: 'reports:columns.last', kind: 'time', card: 'hidden' },
    ],
    chart: pivotBars(named('currency', 'dealer'), 'status', 'remittances', [
      { value: COMPLETED, label: 'reports:columns.delivered', tone: 'good' },
      { value: STATUS.shipping, label: 'reports:columns.shipping', tone: 'moving' },
      { value: ERROR, label: 'reports:columns.error', tone: 'bad' },
    ]),
  }),
  distributorShipping: defineReport('distributorShipping', {
    sort: 'deliveryMan',
    filters: ['dealerId', 'deliveryManId'],
    more: ['period', 'currency', 'deliveryMethod', 'agencyId', 'place'],
    columns: [
      { key: 'dealer', header: 'reports:columns.dealer', kind: 'text', card: 'hidden' },
      { key: 'deliveryMan', header: 'reports:columns.deliveryMan', kind: 'text' },
      { key: 'code', header: 'reports:columns.code', kind: 'code', card: 'title' },
      { key: 'recipient', header: 'reports:columns.recipient', kind: 'text', holds: 'party' },
      { key: 'identification', header: 'reports:columns.identification', kind: 'text', inDetail: true },
      { key: 'phone', header: 'reports:columns.phone', kind: 'text' },
      { key: 'deliveryMethod', header: 'reports:columns.method', ...METHOD, inDetail: true },
      { key: 'address', header: 'reports:columns.address', kind: 'text', unsorted: true, holds: 'note' },
      { key: 'municipality', header: 'reports:columns.municipality', kind: 'text' },
      { key: 'cardBrand', header: 'reports:columns.bank', ...BRAND, inDetail: true },
      { key: 'card', header: 'reports:columns.card', kind: 'card', unsorted: true },
      { key: 'payout', header: 'reports:columns.payout', kind: 'money', total: true },
      { key: 'assigned', header: 'reports:columns.assigned', kind: 'time', inDetail: true },
      { key: 'notes', header: 'reports:columns.notes', kind: 'text', unsorted: true, inDetail: true },
    ],
  }),
  pendingDistributor: defineReport('pendingDistributor', {
    sort: 'province',
    filters: ['place', 'status'],
    more: ['period', 'currency', 'deliveryMethod', 'agencyId', 'dealerId'],
    columns: [
      { key: 'province', header: 'reports:columns.province', kind: 'text', card: 'title' },
      { key: 'municipality', header: 'reports:columns.municipality', kind: 'text' },
      { key: 'deliveryMethod', header: 'reports:columns.method', ...METHOD, card: 'corner' },
      { key: 'unassigned', header: 'reports:columns.unassigned', kind: 'count', total: true },
      { key: 'shipping', header: 'reports:columns.shipping', kind: 'count', total: true },
      { key: 'error', header: 'reports:columns.error', kind: 'count', total: true },
      { key: 'remittances', header: 'reports:columns.remittances', kind: 'count', total: true },
      { key: 'payout', header: 'reports:columns.payout', kind: 'money', total: true },
      { key: 'oldest', header: 'reports:columns.oldest', kind: 'time', inDetail: true },
      { key: 'dealers', header: 'reports:columns.dealers', kind: 'text', unsorted: true, holds: 'party' },
    ],
    chart: rowBars(
      (t, row) =>
        [row.currency, row.municipality ?? row.province ?? t('remittances:method.card')].join(' · '),
      [
        { key: 'unassigned', label: 'reports:columns.unassigned', tone: 'waiting' },
        { key: 'shipping', label: 'reports:columns.shipping', tone: 'moving' },
        { key: 'error', label: 'reports:columns.error', tone: 'bad' },
      ],
    ),
  }),
  largeSums: defineReport('largeSums', {
    sort: '-amount',
    filters: ['days', 'amountFrom'],
    more: ['remittancesFrom', 'side', 'period'],
    columns: [
      { key: 'person', header: 'reports:columns.person', kind: 'text', card: 'title', holds: 'party' },
      { key: 'side', header: 'reports:columns.side', ...SIDE, card: 'corner' },
      { key: 'identification', header: 'reports:columns.identification', kind: 'text' },
      { key: 'phone', header: 'reports:columns.phone', kind: 'text', inDetail: true },
      { key: 'remittances', header: 'reports:columns.mostRemittances', kind: 'count' },
      { key: 'amount', header: 'reports:columns.largestSum', kind: 'usd' },
      { key: 'last', header: 'reports:columns.last', kind: 'time', card: 'hidden' },
    ],
  }),
  holds: defineReport('holds', {
    sort: '-held',
    filters: ['period', 'holdReason'],
    more: ['released'],
    columns: [
      { key: 'reason', header: 'reports:columns.reason', ...HOLD_REASON, card: 'title' },
      { key: 'side', header: 'reports:columns.whose', ...SIDE },
      { key: 'window', header: 'reports:columns.limitWindow', ...LIMIT_WINDOW },
      { key: 'limitAmount', header: 'reports:columns.limitAmount', kind: 'usd' },
      { key: 'limitCount', header: 'reports:columns.limitCount', kind: 'count' },
      { key: 'paymentGroups', header: 'reports:columns.paymentGroups', kind: 'text', inDetail: true },
      { key: 'lists', header: 'reports:columns.lists', kind: 'text', inDetail: true },
      { key: 'held', header: 'reports:columns.held', kind: 'count', total: true, card: 'corner' },
      { key: 'released', header: 'reports:columns.released', kind: 'count', total: true },
      { key: 'kept', header: 'reports:columns.kept', kind: 'count', total: true },
      { key: 'canceled', header: 'reports:columns.canceled', kind: 'count', total: true },
      { key: 'deliveredWhileHeld', header: 'reports:columns.deliveredWhileHeld', kind: 'count', total: true },
      { key: 'open', header: 'reports:columns.open', kind: 'count', total: true },
      { key: 'hours', header: 'reports:columns.hours', kind: 'text' },
      { key: 'amount', header: 'reports:columns.amount', kind: 'usd', total: true, inDetail: true },
    ],
  }),
};
