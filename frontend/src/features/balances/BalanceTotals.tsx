import type { PartyBalance } from '~/api';
import { Totals } from '~/entities/money/Totals';
import { sumMoney } from '~/shared/lib/decimal';
import { useTexts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import classes from './Balances.module.css';
import { flowHead } from './columns';
import { flowColumns } from './figures';
import { totalsOf } from './totals';

interface BalanceTotalsProps {
  /** All rows that the filters leave, of all pages. */
  rows: readonly PartyBalance[];
  /** Cash in place of prepaid balances. */
  field: boolean;
}

/** What all parties together have, a line for each currency, and what they owe. */
export function BalanceTotals({ rows, field }: BalanceTotalsProps) {
  const t = useTexts();
  if (rows.length < 2) return null;
  const columns = [
    { key: 'balance', label: field ? t('balances:columns.cash') : t('balances:columns.balance') },
    ...flowColumns(field).map((flow) => ({ key: flow.id, label: flowHead(t, flow, field) })),
  ];
  const owed = field
    ? []
    : [
        {
          key: 'debits',
          label: t('balances:columns.debits'),
          value: sumMoney(rows.map((row) => row.debitsOutstanding)),
        },
        {
          key: 'commission',
          label: t('balances:columns.commission'),
          value: sumMoney(rows.map((row) => row.commissionOwed)),
        },
      ];
  return (
    <Totals
      columns={[...columns, ...owed]}
      rows={totalsOf(rows, field).map(({ currency, balance, flows }) => ({
        currency,
        cells: [
          <Money key="balance" value={balance} currency={currency} signed />,
          ...flows.map(({ column, sum }) => (
            <span key={column.id} className={classes.said}>
              <Money value={sum} currency={currency} signed={column.sign === '±'} />
            </span>
          )),
          ...owed.map(() => ''),
        ],
      }))}
      grand={
        owed.length > 0
          ? {
              label: t('balances:owed'),
              cells: [
                ...columns.map(() => ''),
                ...owed.map(({ key, value }) => <Money key={key} value={value} currency="USD" />),
              ],
            }
          : undefined
      }
    />
  );
}
