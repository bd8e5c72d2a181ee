import { Alert, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatDecimal, formatMoney } from '~/shared/lib/decimal';
import type { Problem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Money } from './Money';

/** Confirmed and current figures side by side; the children confirm the current ones. */
export function FiguresChanged({ problem, children }: { problem: Problem; children?: ReactNode }) {
  const t = useTexts();
  const locale = useLocale();
  const { figures, expected } = problem;
  if (!figures) return null;
  const rows = [
    {
      label: t('common:figures.payout'),
      confirmed: expected?.payout,
      now: figures.payout,
      currency: figures.payoutCurrency,
    },
    {
      label: t('common:figures.total'),
      confirmed: expected?.totalToPay,
      now: figures.totalToPay,
      currency: figures.totalCurrency,
    },
  ].filter(({ confirmed }) => confirmed !== undefined);
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      role="alert"
      title={t('common:figures.title')}
    >
      <Text size="sm">{t('common:figures.hint')}</Text>
      <Table mt="sm" withRowBorders={false} verticalSpacing={4} horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('common:figures.what')}</Table.Th>
            <Table.Th ta="end">{t('common:figures.confirmed')}</Table.Th>
            <Table.Th ta="end">{t('common:figures.now')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ label, confirmed, now, currency }) => {
            const differs = formatMoney(confirmed ?? '', locale) !== formatMoney(now, locale);
            return (
              <Table.Tr key={label}>
                <Table.Td>{label}</Table.Td>
                <Table.Td ta="end">
                  <Text span size="sm" td={differs ? 'line-through' : undefined}>
                    <Money value={confirmed ?? ''} currency={currency} />
                  </Text>
                </Table.Td>
                <Table.Td ta="end">
                  <Text span size="sm" fw={differs ? 700 : undefined}>
                    <Money value={now} currency={currency} />
                  </Text>
                </Table.Td>
              </Table.Tr>
            );
          })}
          {figures.exchangeRate && (
            <Table.Tr>
              <Table.Td>{t('common:figures.rate')}</Table.Td>
              <Table.Td />
              <Table.Td ta="end">{formatDecimal(figures.exchangeRate, locale)}</Table.Td>
            </Table.Tr>
          )}
          {figures.totalFee && (
            <Table.Tr>
              <Table.Td>{t('common:figures.fee')}</Table.Td>
              <Table.Td />
              <Table.Td ta="end">
                <Money value={figures.totalFee} currency="USD" signed />
              </Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
      {children}
    </Alert>
  );
}
