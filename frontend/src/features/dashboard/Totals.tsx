import { Paper, Skeleton, Text } from '@mantine/core';
import { type RangeSelector, useGetRemittanceTotalsQuery } from '~/api';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import { problemText } from '~/shared/ui/problemText';
import { Change } from './Change';
import classes from './Dashboard.module.css';

/** The frequencies, with the server's numbers of `RangeSelector`. */
const FREQUENCIES = [
  { selector: 0, name: 'daily' },
  { selector: 1, name: 'weekly' },
  { selector: 2, name: 'monthly' },
  { selector: 3, name: 'yearly' },
] as const satisfies readonly { selector: RangeSelector; name: string }[];

/** Currencies of a card: more would make it a table. */
const CURRENCIES_SHOWN = 4;

interface TotalsProps {
  agencyId: string | undefined;
  currency: string | undefined;
}

function TotalCard({ selector, name, ...filters }: TotalsProps & (typeof FREQUENCIES)[number]) {
  const t = useTexts();
  const locale = useLocale();
  const { data, error, isFetching } = useGetRemittanceTotalsQuery({ ...filters, rangeSelector: selector });
  return (
    <Paper component="section" withBorder className={classes.total} aria-busy={isFetching}>
      <Text size="sm" c="dimmed" component="h2" m={0} fw={500}>
        {t(`dashboard:totals.${name}`)}
      </Text>
      {!data && !error && <Skeleton height={56} mt={6} />}
      {!data && error && (
        <Text size="sm" c="var(--caudal-bad-text)">
          {problemText(t, asProblem(error))}
        </Text>
      )}
      {data && (
        <>
          <div className={classes.count}>
            <span>{formatCount(data.totalRemittances, locale)}</span>
            <Change change={data.change} />
          </div>
          <Text size="xs" c="dimmed">
            {t('dashboard:totals.remittances', { count: data.totalRemittances })}
          </Text>
          {data.report.length > 0 && (
            <ul className={classes.amounts}>
              {data.report.slice(0, CURRENCIES_SHOWN).map((row) => (
                <li key={row.currency}>
                  <Money value={row.amount} currency={row.currency} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Paper>
  );
}

/** Today, this week, this month and this year: how many remittances, and how much of each currency. */
export function Totals(filters: TotalsProps) {
  return (
    <div className={classes.totals}>
      {FREQUENCIES.map((frequency) => (
        <TotalCard key={frequency.name} {...frequency} {...filters} />
      ))}
    </div>
  );
}
