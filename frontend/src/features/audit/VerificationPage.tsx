import { Anchor, Button, Paper, Text } from '@mantine/core';
import { IconCertificate, IconPlayerPlay, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import {
  useGetVerificationQuery,
  useListCheckpointsQuery,
  useProfile,
  useStartVerificationMutation,
} from '~/api';
import { formatMoment } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Empty } from '~/shared/ui/Empty';
import { Facts } from '~/shared/ui/Facts';
import { Loaded } from '~/shared/ui/Loaded';
import { PageHeader } from '~/shared/ui/PageHeader';
import { problemText } from '~/shared/ui/problemText';
import { useToast } from '~/shared/ui/toasts/toasts';
import classes from './Audit.module.css';
import { ContinuousPanel } from './ContinuousPanel';
import { Standing } from './Standing';
import { Progress, Verdict } from './Verification';

/** How often one asks how far it is: about as often as it is told. */
const ASK_EVERY_MS = 700;

function LastCheckpoint() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const query = useListCheckpointsQuery();
  return (
    <Paper withBorder component="section" className={classes.panel}>
      <h2 className={classes.heading}>{t('audit:checkpoints.last')}</h2>
      <Loaded query={query}>
        {({ checkpoints: [last] }) =>
          last ? (
            <Facts
              facts={[
                {
                  label: t('audit:checkpoints.position'),
                  value: formatCount(last.checkpoint.position, locale),
                },
                {
                  label: t('audit:checkpoints.signedAt'),
                  value: formatMoment(last.checkpoint.signedAt, locale, timeZone),
                },
                { label: t('audit:checkpoints.standing'), value: <Standing standing={last.standing} /> },
              ]}
            />
          ) : (
            <Text c="dimmed" size="sm">
              {t('audit:checkpoints.none')}
            </Text>
          )
        }
      </Loaded>
      <Button
        component={Link}
        to="/audit/checkpoints/"
        variant="default"
        mt="md"
        leftSection={<IconCertificate size={17} aria-hidden />}
      >
        {t('common:menu.auditCheckpoints')}
      </Button>
    </Paper>
  );
}

/** Verifying the whole log now: how far it is, and what came of it. */
export default function VerificationPage() {
  const t = useTexts();
  const toast = useToast();
  const [running, setRunning] = useState(false);
  const query = useGetVerificationQuery(undefined, {
    pollingInterval: running ? ASK_EVERY_MS : 0,
    // Somebody else may have begun one since.
    refetchOnMountOrArgChange: true,
  });
  const [start, { isLoading }] = useStartVerificationMutation();
  const run = query.currentData;
  const under = run !== undefined && run !== null && run.outcome === null;
  if (under !== running) setRunning(under);
  const begin = async () => {
    try {
      await start().unwrap();
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    }
  };
  const button = (
    <Button
      leftSection={<IconPlayerPlay size={17} aria-hidden />}
      loading={isLoading}
      disabled={under}
      onClick={() => void begin()}
    >
      {t('audit:verification.start')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('common:menu.auditVerification')}>{run && button}</PageHeader>
      <div className={classes.panels}>
        <Loaded query={query}>
          {(found) =>
            found ? (
              found.outcome ? (
                <Verdict run={found} outcome={found.outcome} />
              ) : (
                <Progress run={found} />
              )
            ) : (
              <Paper withBorder>
                <Empty
                  icon={IconShieldCheck}
                  title={t('audit:verification.never')}
                  hint={t('audit:verification.hint')}
                >
                  {button}
                </Empty>
              </Paper>
            )
          }
        </Loaded>
        <ContinuousPanel />
        <div className={classes.two}>
          <LastCheckpoint />
          <Paper withBorder component="section" className={classes.panel}>
            <h2 className={classes.heading}>{t('audit:verification.apart')}</h2>
            <Text size="sm">
              {t('audit:verification.apartHint')}{' '}
              <Anchor component={Link} to="/audit/checkpoints/" fz="inherit" underline="always">
                {t('audit:checkpoints.keys')}
              </Anchor>
            </Text>
          </Paper>
        </div>
      </div>
    </>
  );
}
