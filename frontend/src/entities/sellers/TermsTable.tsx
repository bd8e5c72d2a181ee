import { Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCoins, IconEdit, IconTrash } from '@tabler/icons-react';
import type { Commission } from '~/api';
import { formatDecimal } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Empty } from '~/shared/ui/Empty';
import { Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';
import { type RowAction, RowActions } from '~/shared/ui/table/RowActions';
import { ActiveMark } from '../parties/ActiveMark';
import { commissionText } from './commissionText';
import classes from './TermsTable.module.css';

/** A party's terms as the table shows them, kept by the server or about to be. */
export interface TermsRow {
  paymentGroupId: string;
  name: string;
  currencyTo: string;
  exchangeRate: string | null;
  commission: Commission | null;
  creditLimit: string | null;
  /** Null where there is none yet. */
  balance: string | null;
  isActive: boolean;
}

interface TermsTableProps {
  rows: TermsRow[];
  onEdit?: (row: TermsRow) => void;
  onRemove?: (row: TermsRow) => void;
  emptyHint?: string;
}

/** A party's terms, group by group. */
export function TermsTable({ rows, onEdit, onRemove, emptyHint }: TermsTableProps) {
  const t = useTexts();
  const locale = useLocale();
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const balances = rows.some(({ balance }) => balance !== null);
  const actions = (row: TermsRow): RowAction[] => [
    ...(onEdit ? [{ icon: IconEdit, label: t('common:actions.edit'), onClick: () => onEdit(row) }] : []),
    ...(onRemove
      ? [{ icon: IconTrash, label: t('common:actions.remove'), danger: true, onClick: () => onRemove(row) }]
      : []),
  ];
  const rate = (row: TermsRow) => (row.exchangeRate === null ? '–' : formatDecimal(row.exchangeRate, locale));

  if (rows.length === 0) {
    return <Empty icon={IconCoins} title={t('entities:terms.none')} hint={emptyHint} />;
  }
  if (phone) {
    return (
      <ul className={classes.list} aria-label={t('entities:terms.label')}>
        {rows.map((row) => (
          <li key={row.paymentGroupId}>
            <Group justify="space-between" wrap="nowrap" mb={4}>
              <Text fw={600}>{row.name}</Text>
              <Group gap={4} wrap="nowrap">
                <ActiveMark active={row.isActive} />
                <RowActions name={row.name} actions={actions(row)} />
              </Group>
            </Group>
            <Facts
              facts={[
                { label: t('entities:terms.exchangeRate'), value: `${rate(row)} ${row.currencyTo}` },
                {
                  label: t('entities:commission.label'),
                  value: commissionText(t, locale, row.commission),
                },
                ...(row.creditLimit === null
                  ? []
                  : [
                      {
                        label: t('entities:terms.creditLimit'),
                        value: <Money value={row.creditLimit} currency={row.currencyTo} />,
                      },
                    ]),
                ...(row.balance === null
                  ? []
                  : [
                      {
                        label: t('entities:terms.balance'),
                        value: <Money value={row.balance} currency={row.currencyTo} signed />,
                        strong: true,
                      },
                    ]),
              ]}
            />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <table className={classes.table} aria-label={t('entities:terms.label')}>
      <thead>
        <tr>
          <th scope="col">{t('entities:terms.group')}</th>
          <th scope="col" data-align="right">
            {t('entities:terms.exchangeRate')}
          </th>
          <th scope="col">{t('entities:commission.label')}</th>
          <th scope="col" data-align="right">
            {t('entities:terms.creditLimit')}
          </th>
          {balances && (
            <th scope="col" data-align="right">
              {t('entities:terms.balance')}
            </th>
          )}
          <th scope="col">{t('entities:active.label')}</th>
          {(onEdit || onRemove) && (
            <th scope="col" data-align="right">
              {t('common:table.actions')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.paymentGroupId}>
            <td>
              {row.name}{' '}
              <Text span size="xs" c="dimmed">
                {row.currencyTo}
              </Text>
            </td>
            <td data-align="right">{rate(row)}</td>
            <td>{commissionText(t, locale, row.commission)}</td>
            <td data-align="right">
              {row.creditLimit === null ? '–' : <Money value={row.creditLimit} currency={row.currencyTo} />}
            </td>
            {balances && (
              <td data-align="right">
                {row.balance === null ? '–' : <Money value={row.balance} currency={row.currencyTo} signed />}
              </td>
            )}
            <td>
              <ActiveMark active={row.isActive} />
            </td>
            {(onEdit || onRemove) && (
              <td>
                <RowActions name={row.name} actions={actions(row)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
