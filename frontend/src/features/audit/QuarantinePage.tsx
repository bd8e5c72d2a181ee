import { Alert, Paper, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { Fragment } from 'react';
import {
  currentTenant,
  type EndedQuarantine,
  type Losses,
  type LostAnswer,
  type QuarantineReport,
  useGetQuarantineQuery,
  useListUsersQuery,
  useProfile,
} from '~/api';
import { formatMoment } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { CopyValue } from '~/shared/ui/CopyValue';
import { Empty } from '~/shared/ui/Empty';
import { Facts } from '~/shared/ui/Facts';
import { Loaded } from '~/shared/ui/Loaded';
import { PageHeader } from '~/shared/ui/PageHeader';
import classes from './Audit.module.css';
import { Hash } from './Hash';

/** While it lasts the page stays open on a wall: what further nodes notice comes by itself. */
const ASK_EVERY_MS = 10_000;
const EVERYBODY = { recordsPerPage: 0 };
/** The actor of what nobody asked for. */
const SYSTEM = 'system';

type Lost = Pick<Losses, 'lostFrom' | 'lostTo'>;

function useEventsBetween(): (from: number, to: number) => string {
  const t = useTexts();
  const locale = useLocale();
  return (from, to) => {
    const count = to - from + 1;
    return t('audit:quarantine.lostEvents', {
      count,
      from: formatCount(from, locale),
      to: formatCount(to, locale),
      shown: formatCount(count, locale),
    });
  };
}

function useLost(): (of: Lost) => string {
  const t = useTexts();
  const eventsBetween = useEventsBetween();
  return ({ lostFrom, lostTo }) =>
    lostFrom === null || lostTo === null
      ? t('audit:quarantine.lostNothing')
      : eventsBetween(lostFrom, lostTo);
}

/** The answers that had left: what somebody believes to be done. */
function Answers({ answers }: { answers: LostAnswer[] }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const { data: users } = useListUsersQuery(EVERYBODY);
  if (answers.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('audit:quarantine.noAnswers')}
      </Text>
    );
  }
  const nameOf = (actor: string) =>
    actor === SYSTEM
      ? t('audit:quarantine.system')
      : (users?.data.find(({ id }) => id === actor)?.name ?? actor);
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t('audit:quarantine.answersHint')}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={classes.scroll} aria-label={t('audit:quarantine.answers')} tabIndex={0}>
        <table className={classes.values} data-keys data-answers>
          <thead>
            <tr>
              <th scope="col">{t('audit:event.position')}</th>
              <th scope="col">{t('audit:quarantine.code')}</th>
              <th scope="col">{t('audit:quarantine.at')}</th>
              <th scope="col">{t('audit:quarantine.who')}</th>
              <th scope="col">{t('audit:quarantine.request')}</th>
            </tr>
          </thead>
          <tbody>
            {answers.map((answer) => (
              <tr key={`${answer.position} ${answer.request} ${answer.id}`}>
                <th scope="row">{formatCount(answer.position, locale)}</th>
                <td>{answer.number ?? '–'}</td>
                <td>{formatMoment(answer.at, locale, timeZone)}</td>
                <td>{nameOf(answer.actor)}</td>
                <td>
                  <code className={classes.hash}>{answer.request}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** What the log lacks of what was seen, what it has that nobody saw, and who believes that it was done. */
function Lack({ losses }: { losses: Losses }) {
  const t = useTexts();
  const locale = useLocale();
  const lost = useLost();
  const eventsBetween = useEventsBetween();
  const event = (position: number) => t('audit:event.named', { number: formatCount(position, locale) });
  return (
    <Paper
      withBorder
      component="section"
      className={classes.panel}
      aria-label={t('audit:quarantine.missing')}
    >
      <h2 className={classes.heading}>{t('audit:quarantine.missing')}</h2>
      <div className={classes.narrow}>
        <Facts
          facts={[
            { label: t('audit:quarantine.lost'), value: lost(losses), strong: true },
            {
              label: t('audit:quarantine.common'),
              value: losses.common ? event(losses.common.position) : t('audit:quarantine.unknown'),
            },
            { label: t('audit:quarantine.ends'), value: event(losses.end.position) },
            ...(losses.unsignedFrom === null
              ? []
              : [
                  {
                    label: t('audit:quarantine.unsigned'),
                    value: eventsBetween(losses.unsignedFrom, losses.end.position),
                    strong: true,
                  },
                ]),
          ]}
        />
      </div>
      <h3 className={classes.heading}>{t('audit:quarantine.answers')}</h3>
      <Answers answers={losses.answers} />
    </Paper>
  );
}

/** Both histories as one node saw them. */
function Report({ report }: { report: QuarantineReport }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const title = t('audit:quarantine.node', { node: report.node });
  const histories = [
    ['known', report.known, t('audit:quarantine.hashKnown')],
    ['found', report.found, t('audit:quarantine.hashFound')],
  ] as const;
  const { remittances, movements, closures } = report.numbers;
  const numbers = t('audit:quarantine.numbersShown', {
    remittances: formatCount(remittances, locale),
    movements: formatCount(movements, locale),
    closures: formatCount(closures, locale),
  });
  return (
    <Paper withBorder component="section" className={classes.panel} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      <table className={classes.values} data-histories>
        <thead>
          <tr>
            <th scope="col">{t('audit:quarantine.history')}</th>
            <th scope="col">{t('audit:quarantine.position')}</th>
            <th scope="col">{t('audit:quarantine.hash')}</th>
          </tr>
        </thead>
        <tbody>
          {histories.map(([which, place, label]) => (
            <tr key={which}>
              <th scope="row">{t(`audit:quarantine.${which}`)}</th>
              {place ? (
                <>
                  <td>{formatCount(place.position, locale)}</td>
                  <td>
                    <Hash hash={place.hash} label={label} short />
                  </td>
                </>
              ) : (
                <td colSpan={2}>{t('audit:quarantine.unreadable')}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes.narrow}>
        <Facts
          facts={[
            {
              label: t('audit:quarantine.what'),
              value: t([`audit:quarantine.kinds.${report.kind}`, 'audit:quarantine.kinds.other'] as never),
              strong: true,
            },
            {
              label: t('audit:quarantine.noticed'),
              value: formatMoment(report.noticedAt, locale, timeZone),
            },
            ...(report.lastSeenAt
              ? [
                  {
                    label: t('audit:quarantine.lastSeen'),
                    value: formatMoment(report.lastSeenAt, locale, timeZone),
                  },
                ]
              : []),
            {
              label: t('audit:quarantine.numbers'),
              value: `${numbers}. ${t('audit:quarantine.numbersHint')}`,
            },
          ]}
        />
      </div>
    </Paper>
  );
}

/** What the operator types; nobody ends a quarantine from a browser. */
function HowToEnd({ losses }: { losses: Losses | null }) {
  const t = useTexts();
  const tenant = currentTenant();
  const accepted = [
    losses && losses.lostFrom !== null && '--accept-loss',
    losses && losses.unsignedFrom !== null && '--accept-unsigned',
  ].filter(Boolean);
  const commands = [
    [`caudal quarantine show ${tenant}`, t('audit:quarantine.commandShow')],
    [
      ['caudal quarantine end', tenant, ...accepted, '--reason "…"'].join(' '),
      t('audit:quarantine.commandEnd'),
    ],
  ] as const;
  return (
    <Paper withBorder component="section" className={classes.panel}>
      <h2 className={classes.heading}>{t('audit:quarantine.end')}</h2>
      <Text size="sm" mb="xs">
        {t('audit:quarantine.endHint')}
      </Text>
      {commands.map(([command, label]) => (
        <div key={command}>
          <CopyValue value={command} label={label}>
            <code className={classes.hash}>{command}</code>
          </CopyValue>
        </div>
      ))}
    </Paper>
  );
}

function Past({ ended }: { ended: EndedQuarantine[] }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const lost = useLost();
  return (
    <Paper withBorder component="section" className={classes.panel}>
      <h2 className={classes.heading}>{t('audit:quarantine.past')}</h2>
      {ended.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('audit:quarantine.noPast')}
        </Text>
      ) : (
        <div className={classes.panels}>
          {ended.map((one) => (
            <Facts
              key={one.endedAt}
              facts={[
                { label: t('audit:quarantine.since'), value: formatMoment(one.noticedAt, locale, timeZone) },
                { label: t('audit:quarantine.endedAt'), value: formatMoment(one.endedAt, locale, timeZone) },
                { label: t('audit:quarantine.reason'), value: one.reason },
                { label: t('audit:quarantine.accepted'), value: formatCount(one.accepted.position, locale) },
                { label: t('audit:quarantine.lost'), value: lost(one) },
              ]}
            />
          ))}
        </div>
      )}
    </Paper>
  );
}

/** Whether the log is in question: both histories, what was lost, and how an operator ends it. */
export default function QuarantinePage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const query = useGetQuarantineQuery(undefined, {
    pollingInterval: ASK_EVERY_MS,
    refetchOnMountOrArgChange: true,
  });
  return (
    <>
      <PageHeader title={t('common:menu.auditQuarantine')} />
      <div className={classes.panels}>
        <Loaded query={query}>
          {({ active, since, reports, losses, ended }) => (
            <Fragment>
              {active ? (
                <>
                  <Alert
                    variant="light"
                    color="red"
                    icon={<IconShieldX size={22} aria-hidden />}
                    title={
                      since && t('audit:quarantine.title', { since: formatMoment(since, locale, timeZone) })
                    }
                  >
                    {t('audit:quarantine.hint')}
                  </Alert>
                  {losses && <Lack losses={losses} />}
                  {reports.map((report) => (
                    <Report key={report.id} report={report} />
                  ))}
                  <HowToEnd losses={losses} />
                </>
              ) : (
                <Paper withBorder>
                  <Empty
                    icon={IconShieldCheck}
                    title={t('audit:quarantine.none')}
                    hint={t('audit:quarantine.noneHint')}
                  />
                </Paper>
              )}
              <Past ended={ended} />
            </Fragment>
          )}
        </Loaded>
      </div>
    </>
  );
}
