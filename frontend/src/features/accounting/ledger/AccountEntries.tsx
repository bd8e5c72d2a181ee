import { Anchor, Button, Group, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { Link } from 'react-router';
import { type AccountBalance, may, useListEntriesQuery, useProfile } from '~/api';
import { Account } from '~/entities/ledger/Account';
import { accountPath } from '~/entities/ledger/audit';
import { CauseLink } from '~/entities/ledger/CauseLink';
import { Entry, useEventName } from '~/entities/ledger/Entry';
import { linesOf } from '~/entities/ledger/lines';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Failure } from '~/shared/ui/Failure';
import { Money } from '~/shared/ui/Money';
import classes from './AccountEntries.module.css';

/** Lines of a look into an account; all of them are under operations. */
const PAGE = 10;

interface AccountEntriesProps {
  account: AccountBalance;
  from: string | undefined;
  to: string | undefined;
  at: string | undefined;
}

/** The entries behind an account's figures, the newest first; each opens to the event that made it. */
export function AccountEntries({ account, from, to, at }: AccountEntriesProps) {
  const t = useTexts();
  const locale = useLocale();
  const { role, timeZone } = useProfile();
  const eventName = useEventName();
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<number | null>(null);
  const query = useListEntriesQuery({
    account: account.account,
    from,
    to,
    at,
    currentPage: page,
    recordsPerPage: PAGE,
  });
  if (query.error && !query.data) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  if (!query.data) return <Skeleton height={120} />;
  const { data: entries, totalPages, totalRecords } = query.data;
  const all = new URLSearchParams({
    account: account.account,
    ...(from && { from }),
    ...(to && { to }),
    ...(at && { at }),
  });
  return (
    <div className={classes.entries}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={t('accounting:ledger.entries')}>
        <table className={classes.table}>
          <thead>
            <tr>
              <td />
              <th scope="col">{t('entities:ledger.at')}</th>
              <th scope="col" data-wide>
                {t('entities:ledger.event')}
              </th>
              <th scope="col">{t('entities:ledger.about')}</th>
              <th scope="col" data-wide>
                {t('accounting:ledger.other')}
              </th>
              <th scope="col" data-figure>
                {t('accounting:ledger.debits')}
              </th>
              <th scope="col" data-figure>
                {t('accounting:ledger.credits')}
              </th>
              <th scope="col" data-figure>
                {t('accounting:ledger.after')}
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Fragment key={entry.position}>
                {linesOf(entry, account.account).map((line, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: an entry's lines have an order and never change
                  <tr key={index} className={classes.line}>
                    <td>
                      {index === 0 && (
                        <UnstyledButton
                          className={classes.toggle}
                          data-open={open === entry.position || undefined}
                          aria-expanded={open === entry.position}
                          aria-label={t('accounting:ledger.openEntry', {
                            number: formatCount(entry.position, locale),
                          })}
                          onClick={() => setOpen(open === entry.position ? null : entry.position)}
                        >
                          <IconChevronRight size={16} aria-hidden />
                        </UnstyledButton>
                      )}
                    </td>
                    <td className={classes.time}>
                      {index === 0 && formatDateTime(entry.at, locale, timeZone)}
                    </td>
                    <td data-wide>{index === 0 && eventName(entry.eventType)}</td>
                    <td className={classes.cause}>{index === 0 && <CauseLink entry={entry} />}</td>
                    <td data-wide>
                      <Account account={line.other} />
                    </td>
                    <td data-figure data-side={t('entities:ledger.debit')}>
                      {line.debit && <Money value={line.debit} />}
                    </td>
                    <td data-figure data-side={t('entities:ledger.credit')}>
                      {line.credit && <Money value={line.credit} />}
                    </td>
                    <td data-figure data-side={t('entities:ledger.after')} className={classes.after}>
                      <Money value={line.after} signed />
                    </td>
                  </tr>
                ))}
                {open === entry.position && (
                  <tr className={classes.opened}>
                    <td />
                    <td colSpan={7}>
                      <div className={classes.entry}>
                        <Entry entry={entry} />
                      </div>
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {t('common:pager.total', { count: totalRecords, shown: formatCount(totalRecords, locale) })}
        </Text>
        <Group gap="xs">
          {totalPages > 1 && (
            <>
              <Button size="xs" variant="default" disabled={page <= 1} onClick={() => setPage(page - 1)}>
                {t('common:pager.previous')}
              </Button>
              <Button
                size="xs"
                variant="default"
                disabled={page >= totalPages}
                onClick={() => setPage(page + 1)}
              >
                {t('common:pager.next')}
              </Button>
            </>
          )}
          {may.listAuditEvents.includes(role) && (
            <Anchor component={Link} to={accountPath(account.account)} size="sm">
              {t('entities:ledger.throughTime')}
            </Anchor>
          )}
          <Anchor component={Link} to={`/accounting/operations/?${all}`} size="sm">
            {t('accounting:ledger.allEntries')}
          </Anchor>
        </Group>
      </Group>
    </div>
  );
}
