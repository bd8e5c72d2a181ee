import type { Holding, PartyBalance } from '~/api';
import { sumMoney } from '~/shared/lib/decimal';
import { type FlowColumn, flowColumns } from './figures';

export interface CurrencyTotal {
  currency: Holding['currency'];
  balance: string;
  /** The list's columns, whose sums add up to the balance. */
  flows: { column: FlowColumn; sum: string }[];
}

/** The sums of all parties' figures by currency: groups that pay the same currency add up. */
export function totalsOf(rows: readonly Pick<PartyBalance, 'balances'>[], carries: boolean): CurrencyTotal[] {
  const byCurrency = new Map<Holding['currency'], Holding[]>();
  for (const holding of rows.flatMap(({ balances }) => balances)) {
    byCurrency.set(holding.currency, [...(byCurrency.get(holding.currency) ?? []), holding]);
  }
  return [...byCurrency]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([currency, holdings]) => ({
      currency,
      balance: sumMoney(holdings.map((holding) => holding.balance)),
      flows: flowColumns(carries).map((column) => ({ column, sum: sumMoney(holdings.map(column.value)) })),
    }));
}
