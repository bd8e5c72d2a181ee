import type { CashFigures, DealerCash } from '~/api';
import { addSigned, type Signed } from '~/shared/lib/decimal';

type Figure = Exclude<keyof CashFigures, 'deliveries' | 'opening' | 'closing'>;

/** What came in, and what went out, from the opening to the closing. */
export const CASH_FLOWS = [
  { key: 'received', sign: '+' },
  { key: 'handedBack', sign: '+' },
  { key: 'transferredIn', sign: '+' },
  { key: 'exchangedIn', sign: '+' },
  { key: 'transferredOut', sign: '−' },
  { key: 'exchangedOut', sign: '−' },
  { key: 'handedToDeliveryMen', sign: '−' },
  { key: 'handedBackToDealer', sign: '−' },
  { key: 'delivered', sign: '−' },
  { key: 'distributionFees', sign: '−' },
  { key: 'expenses', sign: '−' },
  { key: 'returnedToManager', sign: '−' },
] as const satisfies readonly { key: Figure; sign: Signed[0] }[];

/** Flows with a column of their own in the list; the others are one column together. */
const ALONE: readonly Figure[] = [
  'received',
  'delivered',
  'distributionFees',
  'expenses',
  'returnedToManager',
];

interface CashColumn {
  id: Figure | 'opening' | 'passedOn' | 'closing' | 'shipping' | 'credit';
  sign: '' | '+' | '−' | '±' | '=';
  value: (cash: DealerCash) => string;
  /** Whether a card of the telephone leaves it to its open row. */
  hidden: boolean;
}

const alone = (key: Figure, sign: '+' | '−', hidden: boolean): CashColumn => ({
  id: key,
  sign,
  value: (cash) => cash[key],
  hidden,
});

/**
 * The list's columns. What is looked for stands first, where no screen is too narrow for it: closing − shipping = credit.
 * Then where the closing comes from: the opening and all flows.
 */
export const RESULT_COLUMNS: readonly CashColumn[] = [
  { id: 'closing', sign: '', value: (cash) => cash.closing, hidden: false },
  { id: 'shipping', sign: '−', value: (cash) => cash.shipping, hidden: true },
  { id: 'credit', sign: '=', value: (cash) => cash.credit, hidden: false },
];
export const FLOW_COLUMNS: readonly CashColumn[] = [
  { id: 'opening', sign: '', value: (cash) => cash.opening, hidden: false },
  alone('received', '+', true),
  {
    id: 'passedOn',
    sign: '±',
    value: (cash) =>
      addSigned(
        CASH_FLOWS.filter(({ key }) => !ALONE.includes(key)).map(({ key, sign }) => [sign, cash[key]]),
      ),
    hidden: true,
  },
  alone('delivered', '−', false),
  alone('distributionFees', '−', true),
  alone('expenses', '−', true),
  alone('returnedToManager', '−', true),
];
