import type { CashFigures, DealerClosing } from '~/api';
import { type FigureRow, FigureTable } from '~/entities/money/FigureTable';
import { formatCount, isZero } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import { CASH_FLOWS } from './cash';

interface CashTableProps {
  row: DealerClosing;
  currency: string;
}

/** A dealer's cash of one currency: together, then the dealer's own and each delivery man's. */
export function CashTable({ row, currency }: CashTableProps) {
  const t = useTexts();
  const locale = useLocale();
  const all = row.currencies.find((one) => one.currency === currency);
  if (!all) return null;
  const parties = row.parties.flatMap(({ party, currencies }) => {
    const own = currencies.find((one) => one.currency === currency);
    return own ? [{ id: party.id, name: party.name ?? t('entities:erased'), cash: own }] : [];
  });
  const sets: CashFigures[] = [all, ...parties.map(({ cash }) => cash)];
  const money = (key: Exclude<keyof CashFigures, 'deliveries'>) =>
    sets.map((cash, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other identity
      <Money key={index} value={cash[key]} signed />
    ));
  const alone = (value: string) => [<Money key="all" value={value} signed />, ...parties.map(() => '')];
  // A flow that nobody had tells nothing.
  const flows = CASH_FLOWS.filter(({ key }) => sets.some((cash) => !isZero(cash[key])));
  const rows: FigureRow[] = [
    { key: 'opening', label: t('accounting:cash.opening'), cells: money('opening') },
    ...flows.map(({ key, sign }) => ({
      key,
      label: `${sign} ${t(`accounting:cash.${key}`)}`,
      cells: money(key),
    })),
    { key: 'closing', label: t('accounting:cash.closing'), cells: money('closing'), strong: true },
    { key: 'shipping', label: `− ${t('accounting:cash.shipping')}`, cells: alone(all.shipping) },
    { key: 'credit', label: t('accounting:cash.credit'), cells: alone(all.credit), strong: true },
    {
      key: 'deliveries',
      label: t('accounting:cash.deliveries'),
      cells: sets.map(({ deliveries }) => formatCount(deliveries, locale)),
    },
  ];
  return (
    <FigureTable
      label={t('accounting:cash.of', { name: row.dealer.name ?? t('entities:erased'), currency })}
      corner={currency}
      columns={[
        { key: 'all', label: t('accounting:cash.together') },
        ...parties.map(({ id, name }) => ({ key: id, label: name })),
      ]}
      rows={rows}
    />
  );
}
