import { Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconBan,
  IconCircleCheck,
  IconClockExclamation,
  IconClockPause,
  IconEraser,
  IconEye,
  IconUserCheck,
} from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { Proposal } from '~/api';
import { kindName } from '~/entities/approvals';
import { formatDateTime } from '~/shared/lib/dates';
import type { Texts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Money } from '~/shared/ui/Money';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { RowActions } from '~/shared/ui/table/RowActions';
import { RowBox } from '~/shared/ui/table/RowBox';

const column = createColumnHelper<Proposal>();

const STATUS = {
  waiting: { tone: 'waiting', icon: IconClockPause },
  expired: { tone: 'neutral', icon: IconClockExclamation },
  approved: { tone: 'good', icon: IconCircleCheck },
  rejected: { tone: 'bad', icon: IconBan },
  withdrawn: { tone: 'neutral', icon: IconBan },
  erased: { tone: 'neutral', icon: IconEraser },
} as const;

export function ProposalStatus({ t, proposal }: { t: Texts; proposal: Proposal }) {
  const status = proposal.status as keyof typeof STATUS;
  return <StatusBadge {...STATUS[status]} label={t(`approvals:statuses.${status}`)} />;
}

/** Whom or what a proposal concerns; undefined where there is nobody yet. */
export const concernsName = (t: Texts, { concerns }: Proposal) =>
  concerns ? (concerns.name ?? t('entities:erased')) : undefined;

/** What a proposal is called: two of one kind and maker differ by whom they concern. */
export const proposalName = (t: Texts, proposal: Proposal) =>
  [kindName(t, proposal.kind), concernsName(t, proposal), proposal.maker.name ?? t('entities:erased')]
    .filter(Boolean)
    .join(' · ');

interface Reader {
  t: Texts;
  locale: string;
  zone: string;
  chosen: ReadonlySet<string>;
  onChoose: (id: string, on: boolean) => void;
  onOpen: (row: Proposal) => void;
}

/** Chooses a proposal that the reader may decide. */
function Choose({ row, reader: { t, chosen, onChoose } }: { row: Proposal; reader: Reader }) {
  if (!row.mayDecide) return null;
  return (
    <RowBox
      aria-label={t('approvals:list.chooseOne', { name: proposalName(t, row) })}
      checked={chosen.has(row.id)}
      onChange={(event) => onChoose(row.id, event.currentTarget.checked)}
    />
  );
}

/** What is proposed; on a telephone, whose cards have no column for it, with the box that chooses the row. */
function Kind({ row, reader }: { row: Proposal; reader: Reader }) {
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const name = kindName(reader.t, row.kind);
  if (!phone) return name;
  return (
    <Group component="span" gap="sm" wrap="nowrap">
      <Choose row={row} reader={reader} />
      {name}
    </Group>
  );
}

/** The columns of proposals: what, about whom, by whom, how much, until when, and what became of it. */
export function proposalColumns(reader: Reader): ColumnDef<Proposal, unknown>[] {
  const { t, locale, zone, onOpen } = reader;
  const time = (at: string) => formatDateTime(at, locale, zone);
  const columns = [
    column.display({
      id: 'select',
      header: t('approvals:list.choose'),
      cell: ({ row: { original: row } }) => <Choose row={row} reader={reader} />,
      meta: { card: 'hidden', width: 76 },
    }),
    column.accessor('kind', {
      header: t('approvals:list.kind'),
      cell: ({ row: { original: row } }) => <Kind row={row} reader={reader} />,
      meta: { sort: 'kind', card: 'title' },
    }),
    column.display({
      id: 'concerns',
      header: t('approvals:list.concerns'),
      cell: ({ row: { original: row } }) => concernsName(t, row) ?? '–',
      meta: { holds: 'party' },
    }),
    column.display({
      id: 'maker',
      header: t('approvals:list.maker'),
      cell: ({ row: { original: row } }) => row.maker.name ?? t('entities:erased'),
      meta: { sort: 'maker', holds: 'party' },
    }),
    column.accessor('amount', {
      header: t('approvals:list.amount'),
      cell: ({ getValue }) => {
        const amount = getValue();
        return amount ? <Money value={amount} currency="USD" /> : '–';
      },
      meta: { align: 'right', sort: 'amount' },
    }),
    column.accessor('created', {
      header: t('approvals:list.created'),
      cell: ({ getValue }) => time(getValue()),
      meta: { sort: 'created', width: 132, leastWidth: 118 },
    }),
    column.accessor('expiresAt', {
      header: t('approvals:list.expires'),
      cell: ({ getValue }) => time(getValue()),
      meta: { sort: 'expires', width: 132, leastWidth: 118 },
    }),
    column.accessor('status', {
      header: t('approvals:list.status'),
      cell: ({ row: { original: row } }) => <ProposalStatus t={t} proposal={row} />,
      meta: { card: 'corner', sort: 'status' },
    }),
    column.display({
      id: 'actions',
      header: t('common:table.actions'),
      cell: ({ row: { original: row } }) => (
        <RowActions
          name={proposalName(t, row)}
          actions={[
            {
              icon: row.mayDecide ? IconUserCheck : IconEye,
              label: t(row.mayDecide ? 'approvals:list.decide' : 'approvals:list.show'),
              onClick: () => onOpen(row),
            },
          ]}
        />
      ),
      meta: { align: 'right', card: 'actions', buttons: 1 },
    }),
  ];
  return columns as ColumnDef<Proposal, unknown>[];
}
