import { Alert, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import {
  type CaughtCommand,
  type PublicApprovalKind,
  type PublicRole,
  useListCaughtCommandsQuery,
  useProfile,
} from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { useDebounced } from '~/shared/lib/useDebounced';
import { Money } from '~/shared/ui/Money';
import { problemText } from '~/shared/ui/problemText';
import { hasAmount } from './words';

/** Debounce: the server reads a month of the log for each question. */
const DELAY_MS = 500;

interface CaughtProps {
  kind: string | null;
  makers: readonly string[];
  fromAmount: string;
}

/** What the rule on the form would have covered of the last 30 days; nothing before it has a kind and makers. */
export function Caught({ kind, makers, fromAmount }: CaughtProps) {
  const t = useTexts();
  const asked = useDebounced(
    JSON.stringify({ kind, makers: [...makers].sort(), fromAmount: hasAmount(kind) ? fromAmount : '' }),
    DELAY_MS,
  );
  const rule: { kind: PublicApprovalKind | null; makers: PublicRole[]; fromAmount: string } =
    JSON.parse(asked);
  const { kind: of, makers: by, fromAmount: from } = rule;
  const skip = of === null || by.length === 0;
  const { currentData, error } = useListCaughtCommandsQuery(
    { kind: of ?? 'expense', makers: by.join(','), ...(from && { fromAmount: from }) },
    { skip, refetchOnMountOrArgChange: true },
  );
  if (skip) return null;
  return (
    <Stack
      gap="xs"
      component="section"
      aria-label={t('approvals:caught.title')}
      aria-busy={!currentData && !error}
    >
      <Text size="sm" fw={600}>
        {t('approvals:caught.title')}
      </Text>
      {error ? (
        <Alert color="yellow" variant="light" role="status">
          {problemText(t, asProblem(error))}
        </Alert>
      ) : !currentData ? (
        <Skeleton height={20} width="60%" />
      ) : (
        <Found {...currentData} />
      )}
    </Stack>
  );
}

interface FoundProps {
  count: number;
  sum: string | null;
  since: string;
  isCutOff: boolean;
  pageSize: number;
  results: CaughtCommand[];
}

function Found({ count, sum, since, isCutOff, pageSize, results }: FoundProps) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const time = (at: string) => formatDateTime(at, locale, timeZone);
  return (
    <>
      <Group gap="xs" role="status">
        <Text size="sm">
          {count === 0 ? t('approvals:caught.none') : t('approvals:caught.count', { count })}
        </Text>
        {sum !== null && count > 0 && <Money value={sum} currency="USD" />}
      </Group>
      {isCutOff && <Text size="sm">{t('approvals:caught.cutOff', { since: time(since) })}</Text>}
      {results.length > 0 && (
        <Table.ScrollContainer minWidth={320} mah={240}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('approvals:caught.at')}</Table.Th>
                <Table.Th>{t('approvals:caught.maker')}</Table.Th>
                <Table.Th>{t('approvals:caught.record')}</Table.Th>
                {sum !== null && <Table.Th ta="right">{t('approvals:list.amount')}</Table.Th>}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {results.map((row) => (
                <Table.Tr key={row.position}>
                  <Table.Td>{time(row.at)}</Table.Td>
                  <Table.Td>{row.maker.name ?? t('entities:erased')}</Table.Td>
                  <Table.Td>{row.recordName ?? '–'}</Table.Td>
                  {sum !== null && (
                    <Table.Td ta="right">
                      {row.amount ? <Money value={row.amount} currency="USD" /> : '–'}
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {count > results.length && (
        <Text size="sm" c="dimmed">
          {t('approvals:caught.newest', { count: pageSize })}
        </Text>
      )}
    </>
  );
}
