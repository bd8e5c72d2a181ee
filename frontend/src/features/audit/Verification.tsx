import { Alert, Anchor, Progress as Bar, Paper, Text } from '@mantine/core';
import { IconHelp, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { type Finding, type Outcome, useListUsersQuery, useProfile, type VerificationRun } from '~/api';
import { eventPath } from '~/entities/ledger/audit';
import { formatMoment } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import classes from './Audit.module.css';
import { Hash } from './Hash';

const PHASES = ['chain', 'read_models'] as const;
const EVERYBODY = { recordsPerPage: 0 };

function useDuration(): (seconds: number) => string {
  const t = useTexts();
  const locale = useLocale();
  return (seconds) =>
    seconds < 60
      ? t('audit:verification.seconds', { count: seconds, shown: formatCount(seconds, locale) })
      : t('audit:verification.minutes', {
          count: Math.round(seconds / 60),
          shown: formatCount(Math.round(seconds / 60), locale),
        });
}

/** How far a verification is: two passes over the log, how fast, and how long yet. */
export function Progress({ run }: { run: VerificationRun }) {
  const t = useTexts();
  const locale = useLocale();
  const duration = useDuration();
  const at = PHASES.indexOf(run.phase);
  return (
    <Paper
      withBorder
      component="section"
      className={classes.panel}
      aria-label={t('audit:verification.running')}
    >
      <h2 className={classes.heading}>{t('audit:verification.running')}</h2>
      {PHASES.map((phase, index) => {
        const position = index < at ? run.head : index === at ? run.position : 0;
        const share = run.head > 0 ? Math.round((position * 100) / run.head) : 0;
        const name = t(`audit:verification.phases.${phase}`);
        return (
          <div key={phase} className={classes.phase}>
            <div className={classes.phaseHead}>
              <span>{name}</span>
              <Text size="sm" c="dimmed">
                {t('audit:verification.far', {
                  position: formatCount(position, locale),
                  count: run.head,
                  head: formatCount(run.head, locale),
                })}
              </Text>
            </div>
            <Bar.Root size="lg">
              <Bar.Section value={share} aria-label={name} animated={index === at} />
            </Bar.Root>
          </div>
        );
      })}
      <Text size="sm" c="dimmed" mt="sm">
        {t('audit:verification.rate', { count: run.rate, shown: formatCount(run.rate, locale) })}
        {run.secondsLeft !== null &&
          ` · ${t('audit:verification.left', { duration: duration(run.secondsLeft) })}`}
      </Text>
    </Paper>
  );
}

/** Something that is wrong, in words, with the way to the event that it is about. */
export function Found({ finding }: { finding: Finding }) {
  const t = useTexts();
  const locale = useLocale();
  return (
    <li>
      {finding.position !== null && (
        <>
          <Anchor component={Link} to={eventPath(finding.position)} fz="inherit">
            {t('audit:event.named', { number: formatCount(finding.position, locale) })}
          </Anchor>
          {': '}
        </>
      )}
      <strong>{t([`audit:findings.${finding.code}`, 'audit:findings.other'] as never)}</strong>
      {` · ${finding.detail}`}
    </li>
  );
}

const LOOKS = {
  whole: { color: 'green', icon: IconShieldCheck },
  wrong: { color: 'red', icon: IconShieldX },
  failed: { color: 'yellow', icon: IconHelp },
} as const;

/** What came of a verification; the first wrong position first. */
export function Verdict({ run, outcome }: { run: VerificationRun; outcome: Outcome }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const duration = useDuration();
  const { data: users } = useListUsersQuery(EVERYBODY);
  const { color, icon: Sign } = LOOKS[outcome];
  const positions = run.findings.flatMap(({ position }) => (position === null ? [] : [position]));
  const first = positions.length > 0 ? Math.min(...positions) : null;
  const seconds = run.finishedAt
    ? Math.max(1, Math.round((Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000))
    : 0;
  return (
    <>
      <Alert
        variant="light"
        color={color}
        role={outcome === 'whole' ? 'status' : 'alert'}
        icon={<Sign size={22} aria-hidden />}
        title={t(`audit:verification.outcomes.${outcome}`)}
      >
        {first === null
          ? t(`audit:verification.outcomeHints.${outcome}`)
          : t('audit:verification.first', { number: formatCount(first, locale) })}
      </Alert>
      {run.findings.length > 0 && (
        <Paper withBorder component="section" className={classes.panel}>
          <h2 className={classes.heading}>{t('audit:verification.found')}</h2>
          <ul className={classes.findings}>
            {run.findings.map((finding) => (
              <Found key={`${finding.code} ${finding.position} ${finding.detail}`} finding={finding} />
            ))}
          </ul>
        </Paper>
      )}
      <Paper withBorder component="section" className={classes.panel}>
        <h2 className={classes.heading}>{t('audit:verification.lastRun')}</h2>
        <div className={classes.narrow}>
          <Facts
            facts={[
              {
                label: t('audit:verification.askedBy'),
                value: users?.data.find(({ id }) => id === run.askedBy)?.name ?? run.askedBy,
              },
              {
                label: t('audit:verification.startedAt'),
                value: formatMoment(run.startedAt, locale, timeZone),
              },
              { label: t('audit:verification.took'), value: duration(seconds) },
              {
                label: t('audit:verification.events'),
                value: t('audit:verification.eventsAt', {
                  count: run.head,
                  shown: formatCount(run.head, locale),
                  rate: formatCount(run.rate, locale),
                }),
              },
              ...(run.checkpoints === null
                ? []
                : [
                    {
                      label: t('audit:verification.checkpoints'),
                      value:
                        run.checkpoints === 0
                          ? t('audit:verification.noCheckpoints')
                          : t('audit:verification.compared', {
                              count: run.checkpoints,
                              shown: formatCount(run.checkpoints, locale),
                            }),
                    },
                  ]),
              ...(run.hash
                ? [
                    {
                      label: t('audit:verification.hash'),
                      value: <Hash hash={run.hash} label={t('audit:verification.hash')} />,
                    },
                  ]
                : []),
            ]}
          />
        </div>
      </Paper>
    </>
  );
}
