import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { SellerSales } from '~/api';
import { formatCount } from '~/shared/lib/decimal';
import type { TextKey, Texts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';

const column = createColumnHelper<SellerSales>();

/** A sale's amounts in their order; those that are not in USD are in the currency paid out. */
export const SALES_FIGURES = [
  { key: 'amount', label: 'accounting:closures.amount', usd: true },
  { key: 'payout', label: 'accounting:sales.payout', usd: false },
  { key: 'managerFee', label: 'accounting:sales.managerFee', usd: true },
  { key: 'agencyFee', label: 'accounting:sales.agencyFee', usd: true },
  { key: 'agentFee', label: 'accounting:sales.agentFee', usd: true },
  { key: 'totalFee', label: 'accounting:sales.totalFee', usd: true },
  { key: 'margin', label: 'accounting:sales.margin', usd: true },
] as const satisfies readonly { key: keyof SellerSales; label: TextKey; usd: boolean }[];

/** Those that only the open row shows. */
const IN_DETAIL: readonly (typeof SALES_FIGURES)[number]['key'][] = ['managerFee', 'agencyFee', 'agentFee'];

/** Names a seller; the erased keep no name. */
export function sellerName(t: Texts, row: SellerSales): string {
  return row.seller.name ?? t('entities:erased');
}

/** The columns of sales. */
export function salesColumns({ t, locale }: { t: Texts; locale: string }): ColumnDef<SellerSales, unknown>[] {
  return [
    column.display({
      id: 'seller',
      header: t('accounting:closures.seller'),
      cell: ({ row: { original: row } }) => (
        <>
          {sellerName(t, row)}
          {row.agency && (
            <span style={{ color: 'var(--mantine-color-dimmed)' }}>
              {` · ${row.agency.name ?? t('entities:erased')}`}
            </span>
          )}
        </>
      ),
      meta: { sort: 'name', card: 'title' },
    }),
    column.accessor('currency', {
      header: t('entities:filters.currency'),
      meta: { sort: 'currency', card: 'corner' },
    }),
    column.accessor('remittances', {
      header: t('accounting:closures.remittances'),
      cell: ({ getValue }) => formatCount(getValue(), locale),
      meta: { sort: 'remittances', align: 'right' },
    }),
    ...SALES_FIGURES.filter(({ key }) => !IN_DETAIL.includes(key)).map(({ key, label, usd }) =>
      column.accessor(key, {
        header: t(label),
        cell: ({ row, getValue }) => (
          <Money value={getValue()} currency={usd ? 'USD' : row.original.currency} signed />
        ),
        meta: { align: 'right' },
      }),
    ),
  ] as ColumnDef<SellerSales, unknown>[];
}
