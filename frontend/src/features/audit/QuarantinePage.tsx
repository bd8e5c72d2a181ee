import { Alert, Paper, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { Fragment } from 'react';
import {
  type Acknowledgement,
  currentTenant,
  type EndedQuarantine,
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

interface Lost {
  lostFrom: number | null;
  lostTo: number | null;
}

function useLost(): (of: Lost) => string {
  const t = useTexts();
  const locale = useLocale();
  return ({ lostFrom, lostTo }) => {
    if (lostFrom === null || lostTo === null) return t('audit:quarantine.lostNothing');
    const count = lostTo - lostFrom + 1;
    return t('audit:quarantine.lostEvents', {
      count,
      from: formatCount(lostFrom, locale),
      to: formatCount(lostTo, locale),
      shown: formatCount(count, locale),
    });
  };
}

/** The answers that had left: what somebody believes to be done. */
function Answers({ answers, node }: { answers: Acknowledgement[]; node: string }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const { data: users } = useListUsersQuery(EVERYBODY);
  const label = `${t('audit:quarantine.answers')}: ${node}`;
  if (answers.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('audit:quarantine.noAnswers')}
      </Text>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.values} data-answers>
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
            <tr key={`${answer.position} ${answer.request}`}>
              <th scope="row">{formatCount(answer.position, locale)}</th>
              <td>{answer.code ?? '–'}</td>
              <td>{formatMoment(answer.at, locale, timeZone)}</td>
              <td>
                {answer.actor === null
                  ? t('audit:quarantine.nobody')
                  : (users?.data.find(({ id }) => id === answer.actor)?.name ?? answer.actor)}
              </td>
              <td>
                <code className={classes.hash}>{answer.request}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Both histories as one node saw them. */
function Report({ report }: { report: QuarantineReport }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const lost = useLost();
  const title = t('audit:quarantine.node', { node: report.node });
  const histories = [
    ['known', report.knownPosition, report.knownHash, t('audit:quarantine.hashKnown')],
    ['found', report.foundPosition, report.foundHash, t('audit:quarantine.hashFound')],
  ] as const;
  const numbers = {
    remittances: formatCount(report.numbers.remittances, locale),
    movements: formatCount(report.numbers.movements, locale),
    closures: formatCount(report.numbers.closures, locale),
  };
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
          {histories.map(([which, position, hash, label]) => (
            <tr key={which}>
              <th scope="row">{t(`audit:quarantine.${which}`)}</th>
              <td>{formatCount(position, locale)}</td>
              <td>
                <Hash hash={hash} label={label} short />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes.narrow}>
        <Facts
          facts={[
            { label: t('audit:quarantine.lost'), value: lost(report), strong: true },
            {
              label: t('audit:quarantine.noticed'),
              value: formatMoment(report.noticedAt, locale, timeZone),
            },
            {
              label: t('audit:quarantine.numbers'),
              value: `${t('audit:quarantine.numbersShown', numbers)}. ${t('audit:quarantine.numbersHint')}`,
            },
          ]}
        />
      </div>
      <h3 className={classes.heading}>{t('audit:quarantine.answers')}</h3>
      {report.acknowledgements.length > 0 && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('audit:quarantine.answersHint')}
        </Text>
      )}
      <Answers answers={report.acknowledgements} node={report.node} />
    </Paper>
  );
}

/** What the operator types; nobody ends a quarantine from a browser. */
function HowToEnd() {
  const t = useTexts();
  const tenant = currentTenant();
  const commands = [
    [`caudal quarantine show ${tenant}`, t('audit:quarantine.commandShow')],
    [`caudal quarantine end ${tenant}`, t('audit:quarantine.commandEnd')],
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

function Past({ history }: { history: EndedQuarantine[] }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const lost = useLost();
  return (
    <Paper withBorder component="section" className={classes.panel}>
      <h2 className={classes.heading}>{t('audit:quarantine.past')}</h2>
      {history.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('audit:quarantine.noPast')}
        </Text>
      ) : (
        <div className={classes.panels}>
          {history.map((one) => (
            <Facts
              key={one.since}
              facts={[
                { label: t('audit:quarantine.since'), value: formatMoment(one.since, locale, timeZone) },
                { label: t('audit:quarantine.endedAt'), value: formatMoment(one.endedAt, locale, timeZone) },
                { label: t('audit:quarantine.endedBy'), value: one.endedBy },
                { label: t('audit:quarantine.reason'), value: one.reason },
                { label: t('audit:quarantine.accepted'), value: formatCount(one.acceptedPosition, locale) },
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
          {({ active, since, reports, history }) => (
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
                  {reports.map((report) => (
                    <Report key={`${report.node} ${report.noticedAt}`} report={report} />
                  ))}
                  <HowToEnd />
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
              <Past history={history} />
            </Fragment>
          )}
        </Loaded>
      </div>
    </>
  );
}
