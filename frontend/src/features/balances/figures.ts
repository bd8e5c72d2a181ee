import type { Holding } from '~/api';
import { addSigned, type Signed } from '~/shared/lib/decimal';

type Figure = Exclude<keyof Holding, 'currency' | 'groupName' | 'paymentGroupId' | 'balance'>;
type Flow = readonly [sign: Signed[0], figure: Figure];

/** What a prepaid balance is made of: the flows of a seller add up to its balance. */
export const SELLER_FLOWS = [
  ['+', 'assigned'],
  ['−', 'given'],
  ['−', 'spent'],
] as const satisfies readonly Flow[];

/** What a dealer's or delivery man's cash is made of: the flows add up to the cash. */
export const CARRIER_FLOWS = [
  ['+', 'assigned'],
  ['+', 'handedBack'],
  ['+', 'transferredIn'],
  ['+', 'exchangedIn'],
  ['−', 'given'],
  ['−', 'handedBackToDealer'],
  ['−', 'transferredOut'],
  ['−', 'exchangedOut'],
  ['−', 'spent'],
  ['−', 'distributionFees'],
  ['−', 'expenses'],
  ['−', 'returnedToManager'],
] as const satisfies readonly Flow[];

/** Between field parties and between currencies: one column of the list, each of them in the open row. */
const PASSED_ON: readonly Figure[] = [
  'handedBack',
  'transferredIn',
  'exchangedIn',
  'given',
  'handedBackToDealer',
  'transferredOut',
  'exchangedOut',
];

/** A column of a balance's list: an amount with the sign in its head. */
export interface FlowColumn {
  id: Figure | 'passedOn';
  sign: '+' | '−' | '±';
  value: (holding: Holding) => string;
}

const single = ([sign, id]: Flow): FlowColumn => ({ id, sign, value: (holding) => holding[id] });

const passedOn: FlowColumn = {
  id: 'passedOn',
  sign: '±',
  value: (holding) =>
    addSigned(
      CARRIER_FLOWS.filter(([, figure]) => PASSED_ON.includes(figure)).map(([sign, figure]) => [
        sign,
        holding[figure],
      ]),
    ),
};

/** The columns before the balance. They add up to it: what all of them but the last result show is all there was. */
export function flowColumns(carries: boolean): FlowColumn[] {
  if (!carries) return SELLER_FLOWS.map(single);
  const [first, ...others] = CARRIER_FLOWS.filter(([, figure]) => !PASSED_ON.includes(figure)).map(single);
  return first ? [first, passedOn, ...others] : [];
}
