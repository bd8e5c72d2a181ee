import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useProfile } from '~/api';
import { OpenFile } from '~/entities/files/ReviewFiles';
import { accountPath, recordPath } from '~/entities/ledger/audit';
import { useEventName } from '~/entities/ledger/Entry';
import { refusalText } from '~/entities/remittances/refusal';
import { formatCalendarDate, formatMoment } from '~/shared/lib/dates';
import { formatDecimal, formatMoney } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import classes from './Audit.module.css';
import {
  accountParts,
  countryName,
  currencyOf,
  fieldName,
  isRecord,
  isTold,
  isTransferCode,
  namedParts,
  sortOf,
  spelled,
} from './inWords';
import { type Names, recordKindOf } from './Said';
import { type Change, type Line, linesIn } from './values';

/** Fields whose hash is of a stored file. */
const FILES: ReadonlySet<string> = new Set(['files', 'identification', 'signature']);

const lastField = (path: string) => fieldName(path.split('.').at(-1) ?? '');

/** What a field is called: its own name, after those of what it is a part of. */
function Label({ path, names }: { path: string; names: Names }) {
  const t = useTexts();
  const told = namedParts(path).map(({ field, place }, index, parts) => {
    if (isRecord(field)) return names[field] ?? t('entities:erased');
    // A movement has a debit that is owed, and a transfer an account that is debited.
    if (field === 'debit' && parts[index - 1]?.field === 'transfers') return t('entities:ledger.debit');
    const name = t(`audit:fields.${field}` as 'audit:fields.name', { defaultValue: spelled(field) });
    return place === null ? name : `${name} ${place}`;
  });
  return <>{told.join(' · ')}</>;
}

interface InWordsProps {
  line: Line;
  names: Names;
  /** All of the record's values, by their paths: the currency of an amount stands beside it. */
  around: ReadonlyMap<string, string>;
}

/** A value as a reader takes it: an amount with its currency, a name, a moment of the tenant's. */
function InWords({ line: { path, value }, names, around }: InWordsProps) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const eventName = useEventName();
  switch (sortOf(path, value)) {
    case 'account': {
      const { kind, ids, currency } = accountParts(value);
      const called = t(`entities:accounts.${kind}` as 'entities:accounts.balance', { defaultValue: kind });
      return (
        <Anchor component={Link} to={accountPath(value)} fz="inherit" c="inherit" underline="always">
          {[called, ...ids.flatMap((id) => names[id] ?? []), currency].join(' · ')}
        </Anchor>
      );
    }
    case 'money':
      return <>{[formatMoney(value, locale), currencyOf(path, around)].filter(Boolean).join(' ')}</>;
    case 'number':
      return <>{formatDecimal(value, locale)}</>;
    case 'moment':
      return <>{formatMoment(value, locale, timeZone)}</>;
    case 'day':
      return <>{formatCalendarDate(value, locale)}</>;
    case 'flag':
      return <>{t(value === 'true' ? 'audit:values.yes' : 'audit:values.no')}</>;
    case 'hash':
      if (FILES.has(lastField(path)))
        return <OpenFile url={`/api/files/${value}`} label={t('audit:values.file')} />;
      return <>{t('audit:values.file')}</>;
    case 'id': {
      const kind = recordKindOf(path);
      const name = names[value] ?? t('entities:erased');
      return kind ? (
        <Anchor component={Link} to={recordPath(kind, value)} fz="inherit" c="inherit" underline="always">
          {name}
        </Anchor>
      ) : (
        name
      );
    }
    default:
      if (lastField(path) === 'refused') return <>{refusalText(t, value)}</>;
      if (isTransferCode(path))
        return <>{t(`entities:transfers.${value}` as 'entities:transfers.sale', { defaultValue: value })}</>;
      if (path === 'type') return <>{eventName(value)}</>;
      if (lastField(path) === 'country') return <>{countryName(value, locale)}</>;
      return (
        <>
          {t(`audit:said.${fieldName(value)}` as 'audit:said.pending', {
            defaultValue: t(`entities:identification.${fieldName(value)}` as 'entities:identification.ci', {
              defaultValue: value,
            }),
          })}
        </>
      );
  }
}

interface ContentProps {
  value: unknown;
  names: Names;
  label: string;
  none: string;
}

/** What a record or an event says, in words, line by line. */
export function Content({ value, names, label, none }: ContentProps) {
  const t = useTexts();
  const all = linesIn(value);
  const around = new Map(all.map((line) => [line.path, line.value]));
  const lines = all.filter((line) => isTold(line, names));
  if (lines.length === 0) return <Text c="dimmed">{none}</Text>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.values}>
        <thead>
          <tr>
            <th scope="col">{t('audit:values.field')}</th>
            <th scope="col">{t('audit:values.value')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.path}>
              <th scope="row">
                <Label path={line.path} names={names} />
              </th>
              <td>
                <InWords line={line} names={names} around={around} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ChangesProps {
  changes: Change[];
  names: Names;
  /** The record before and after: what amounts are of. */
  before: unknown;
  after: unknown;
  label: string;
}

/** What an event changed, in words: each field before and after. */
export function Changes({ changes, names, before, after, label }: ChangesProps) {
  const t = useTexts();
  const linesOf = (state: unknown) => new Map(linesIn(state).map(({ path, value }) => [path, value]));
  const then = linesOf(before);
  const now = linesOf(after);
  const told = changes.filter(({ path, before: was, after: is }) =>
    [was, is].some((value) => value !== null && isTold({ path, value }, names)),
  );
  if (told.length === 0) return <Text c="dimmed">{t('audit:values.unchanged')}</Text>;
  const nothing = <span className={classes.nothing}>{t('audit:values.nothing')}</span>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.values} data-changes>
        <thead>
          <tr>
            <th scope="col">{t('audit:values.field')}</th>
            <th scope="col">{t('audit:values.before')}</th>
            <th scope="col">{t('audit:values.after')}</th>
          </tr>
        </thead>
        <tbody>
          {told.map(({ path, before: was, after: is }) => (
            <tr key={path}>
              <th scope="row">
                <Label path={path} names={names} />
              </th>
              <td data-was>
                {was === null ? (
                  nothing
                ) : (
                  <del>
                    <InWords line={{ path, value: was }} names={names} around={then} />
                  </del>
                )}
              </td>
              <td data-is>
                {is === null ? (
                  nothing
                ) : (
                  <ins>
                    <InWords line={{ path, value: is }} names={names} around={now} />
                  </ins>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
