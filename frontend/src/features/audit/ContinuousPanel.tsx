import { Button, Paper, Text } from '@mantine/core';
import { IconHelp, IconRefresh, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { type ContinuousVerification, useGetContinuousVerificationQuery, useProfile } from '~/api';
import { formatMoment } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { Loaded } from '~/shared/ui/Loaded';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import classes from './Audit.module.css';
import { Found } from './Verification';

/** How often the panel asks how far the walk is: the server gives every tenant its turn about once a second. */
const ASK_EVERY_MS = 5_000;

function State({ found }: { found: ContinuousVerification }) {
  const t = useTexts();
  if (found.findings.length > 0) {
    return <StatusBadge tone="bad" icon={IconShieldX} label={t('audit:continuous.wrong')} />;
  }
  return found.reachedEndAt ? (
    <StatusBadge tone="good" icon={IconShieldCheck} label={t('audit:continuous.whole')} />
  ) : (
    <StatusBadge tone="neutral" icon={IconRefresh} label={t('audit:continuous.walking')} />
  );
}

function Details({ found }: { found: ContinuousVerification }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const moment = (at: string | null) =>
    at ? formatMoment(at, locale, timeZone) : t('audit:continuous.notYet');
  return (
    <>
      <Facts
        facts={[
          { label: t('audit:continuous.state'), value: <State found={found} /> },
          { label: t('audit:continuous.position'), value: formatCount(found.position, locale) },
          { label: t('audit:continuous.startedAt'), value: moment(found.startedAt) },
          { label: t('audit:continuous.reachedEndAt'), value: moment(found.reachedEndAt) },
          {
            label: t('audit:verification.checkpoints'),
            value:
              found.checkpoints === 0
                ? t('audit:verification.noCheckpoints')
                : t('audit:verification.compared', {
                    count: found.checkpoints,
                    shown: formatCount(found.checkpoints, locale),
                  }),
          },
          { label: t('audit:continuous.comparedAt'), value: moment(found.comparedAt) },
        ]}
      />
      {found.findings.length > 0 && (
        <ul className={classes.findings} role="alert">
          {found.findings.map((finding) => (
            <Found key={`${finding.code} ${finding.position} ${finding.detail}`} finding={finding} />
          ))}
        </ul>
      )}
    </>
  );
}

/** What the server finds by itself, day and night: how far its walk along the log is, and what is wrong. */
export function ContinuousPanel() {
  const t = useTexts();
  const query = useGetContinuousVerificationQuery(undefined, {
    pollingInterval: ASK_EVERY_MS,
    refetchOnMountOrArgChange: true,
  });
  return (
    <Paper withBorder component="section" className={classes.panel} data-testid="continuous">
      <h2 className={classes.heading}>{t('audit:continuous.title')}</h2>
      <Text size="sm" c="dimmed" mb="sm">
        {t('audit:continuous.hint')}
      </Text>
      <Loaded query={query}>
        {(found) =>
          found ? (
            <Details found={found} />
          ) : (
            <>
              <StatusBadge tone="neutral" icon={IconHelp} label={t('audit:continuous.none')} />
              <Button
                variant="default"
                mt="sm"
                leftSection={<IconRefresh size={17} aria-hidden />}
                onClick={() => void query.refetch()}
              >
                {t('common:failure.retry')}
              </Button>
            </>
          )
        }
      </Loaded>
    </Paper>
  );
}
