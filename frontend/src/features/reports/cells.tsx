import { Anchor } from '@mantine/core';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { Link } from 'react-router';
import { shownNumber } from '~/entities/cards/brands';
import { RemittanceStatusBadge } from '~/entities/remittances/RemittanceStatusBadge';
import { readStatus } from '~/entities/remittances/status';
import { formatDay, formatTime } from '~/shared/lib/dates';
import { formatCount, formatDecimal } from '~/shared/lib/decimal';
import type { TextKey, Texts } from '~/shared/lib/texts';
import type { Fact } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';
import type { Held } from '~/shared/ui/table/widths';
import type { ReportColumn, ReportRow } from './definition';
import classes from './Reports.module.css';

export interface Reader {
  t: Texts;
  locale: string;
  zone: string;
}

const column = createColumnHelper<ReportRow>();
const FIGURES: readonly ReportColumn['kind'][] = ['count', 'money', 'usd', 'percent'];
const HELD: Partial<Record<ReportColumn['kind'], Held>> = {
  code: 'code',
  time: 'moment',
};

/** A card's number: a complete one in two halves, which narrow columns show below each other. */
function CardNumber({ shown }: { shown: string }) {
  const [a, b, c, d] = shown.split(' ');
  if (!d) return <span className={classes.time}>{shown}</span>;
  return (
    <>
      <span className={classes.time}>{`${a} ${b}`}</span> <span className={classes.time}>{`${c} ${d}`}</span>
    </>
  );
}

/** A value as its column shows it. */
export function cell({ t, locale, zone }: Reader, { key, kind, words }: ReportColumn, row: ReportRow) {
  const value = row[key];
  if (value === null || value === undefined || value === '') return '–';
  const text = String(value);
  switch (kind) {
    case 'count':
      return formatCount(Number(value), locale);
    case 'money':
      return <Money value={text} currency={row.currency === undefined ? undefined : String(row.currency)} />;
    case 'usd':
      return <Money value={text} currency="USD" />;
    case 'percent':
      return `${formatDecimal(text, locale)} %`;
    case 'time':
      return (
        <span className={classes.moment}>
          <span>{formatDay(text, locale, zone)}</span>
          <span className={classes.second}>{formatTime(text, locale, zone)}</span>
        </span>
      );
    case 'status': {
      const status = readStatus(Number(value));
      if (status === undefined) return text;
      return (
        <RemittanceStatusBadge status={status} method={row.deliveryMethod === 'card' ? 'card' : 'home'} />
      );
    }
    case 'card':
      return <CardNumber shown={shownNumber(text) ?? text} />;
    case 'named':
      return words ? t(words(text) as TextKey) : text;
    case 'code':
      return (
        <Anchor
          component={Link}
          to={`/invoice/list/?query=${text}&open=${row.remittanceId}`}
          size="sm"
          className={classes.time}
        >
          {text}
        </Anchor>
      );
    default:
      return <span className={classes.text}>{text}</span>;
  }
}

/** What the table, or on a phone the card, leaves out of a row. */
export function detailFacts(
  reader: Reader,
  columns: readonly ReportColumn[],
  row: ReportRow,
  phone: boolean,
): Fact[] {
  return columns
    .filter(({ inDetail, card }) => inDetail || (phone && card === 'hidden'))
    .map((one) => ({ key: one.key, label: reader.t(one.header), value: cell(reader, one, row) }));
}

/** A report's columns as the table takes them. */
export function tableColumns(
  reader: Reader,
  columns: readonly ReportColumn[],
): ColumnDef<ReportRow, unknown>[] {
  const shown = columns.filter(({ inDetail }) => !inDetail);
  return shown.map((one) =>
    column.display({
      id: one.key,
      header: reader.t(one.header),
      cell: ({ row }) => cell(reader, one, row.original),
      meta: {
        sort: one.unsorted ? undefined : one.key,
        align: FIGURES.includes(one.kind) ? 'right' : undefined,
        card: one.card,
        holds: one.holds ?? HELD[one.kind],
      },
    }),
  );
}
