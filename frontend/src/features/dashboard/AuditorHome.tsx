import { Anchor, Button, Code, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconCertificate, IconClockExclamation, IconDownload, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import {
  downloadFile,
  useGetVerificationQuery,
  useListCheckpointsQuery,
  useListLateChangesQuery,
  useProfile,
} from '~/api';
import { formatDateTime, formatMoment, todayIn, toFilterDay } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { problemText } from '~/shared/ui/problemText';
import { useToast } from '~/shared/ui/toasts/toasts';
import { Greeting } from './Greeting';

const LATE_DAYS = 30;
/** The figures of late changes, each by the filter of its list. */
const LATE = { lateAll: {}, lateWeek: { daysLate: 7 }, lateClosed: { afterClosure: true } };
const FIGURES = ['lateAll', 'lateWeek', 'lateClosed'] as const;
const DAY_MS = 86_400_000;

/** The first of the days that are looked back on, as filters have it. */
function firstDay(zone: string): string {
  const noon = Date.parse(`${todayIn(zone)}T12:00:00Z`);
  return toFilterDay(new Date(noon - LATE_DAYS * DAY_MS).toISOString()) ?? '';
}

function Late({ figure, from }: { figure: keyof typeof LATE; from: string }) {
  const t = useTexts();
  const locale = useLocale();
  const { data } = useListLateChangesQuery({ from, ...LATE[figure], recordsPerPage: 1 });
  const filters = Object.entries(LATE[figure]).map(([name, value]) => [name, String(value)]);
  const total = data ? formatCount(data.totalRecords, locale) : '…';
  return (
    <li>
      <Anchor component={Link} to={`/audit/late/?${new URLSearchParams([['from', from], ...filters])}`}>
        {t(`dashboard:auditor.${figure}`, { total })}
      </Anchor>
    </li>
  );
}

/** The auditor's home: what to verify and since when, what changed late, and how to take the log away. */
export function AuditorHome() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone, office } = useProfile();
  const checkpoints = useListCheckpointsQuery();
  const { data: run } = useGetVerificationQuery();
  const last = checkpoints.data?.checkpoints[0]?.checkpoint;
  const from = firstDay(timeZone);
  const outcome = run && (run.outcome ?? 'running');
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const takeLog = async () => {
    setBusy(true);
    try {
      await downloadFile('/api/audit/log', {}, t('dashboard:auditor.logFile'));
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="md">
      <Greeting />
      {office?.accessExpiresAt && (
        <Text size="sm">
          {t('dashboard:auditor.ends', { time: formatDateTime(office.accessExpiresAt, locale, timeZone) })}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Paper withBorder component="section" p="md" aria-label={t('dashboard:auditor.verify')}>
          <Title order={2} size="h4" mb="xs">
            {t('dashboard:auditor.verify')}
          </Title>
          <Facts
            facts={[
              {
                label: t('dashboard:auditor.checkpoint'),
                value: last
                  ? `${formatMoment(last.signedAt, locale, timeZone)} · ${t('dashboard:auditor.covers', {
                      position: formatCount(last.position, locale),
                    })}`
                  : t('dashboard:auditor.noCheckpoint'),
              },
              {
                label: t('dashboard:auditor.verification'),
                value:
                  run && outcome
                    ? `${t(`dashboard:auditor.outcomes.${outcome}`)} · ${formatMoment(run.finishedAt ?? run.startedAt, locale, timeZone)}`
                    : t('dashboard:auditor.noVerification'),
              },
            ]}
          />
          <Button
            mt="sm"
            component={Link}
            to="/audit/verification/"
            leftSection={<IconShieldCheck size={17} aria-hidden />}
          >
            {t('dashboard:auditor.open')}
          </Button>
        </Paper>
        <Paper withBorder component="section" p="md" aria-label={t('dashboard:auditor.late')}>
          <Title order={2} size="h4" mb="xs">
            {t('dashboard:auditor.late')}
          </Title>
          <Text size="sm">{t('dashboard:auditor.lateHint')}</Text>
          <ul>
            {FIGURES.map((figure) => (
              <Late key={figure} figure={figure} from={from} />
            ))}
          </ul>
          <Button
            variant="default"
            component={Link}
            to="/audit/late/"
            leftSection={<IconClockExclamation size={17} aria-hidden />}
          >
            {t('dashboard:auditor.lateOpen')}
          </Button>
        </Paper>
        <Paper withBorder component="section" p="md" aria-label={t('dashboard:auditor.away')}>
          <Title order={2} size="h4" mb="xs">
            {t('dashboard:auditor.away')}
          </Title>
          <Text size="sm">{t('dashboard:auditor.awayHint')}</Text>
          <Code block my="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {t('dashboard:auditor.awayCommand')}
          </Code>
          <Group gap="sm">
            <Button
              loading={busy}
              onClick={() => void takeLog()}
              leftSection={<IconDownload size={17} aria-hidden />}
            >
              {t('dashboard:auditor.log')}
            </Button>
            <Button
              variant="default"
              component={Link}
              to="/audit/events/"
              leftSection={<IconDownload size={17} aria-hidden />}
            >
              {t('dashboard:auditor.events')}
            </Button>
            <Button
              variant="default"
              component={Link}
              to="/audit/checkpoints/"
              leftSection={<IconCertificate size={17} aria-hidden />}
            >
              {t('dashboard:auditor.checkpoints')}
            </Button>
            <Button
              variant="default"
              component={Link}
              to="/accounting/operations/"
              leftSection={<IconDownload size={17} aria-hidden />}
            >
              {t('dashboard:auditor.books')}
            </Button>
          </Group>
        </Paper>
      </SimpleGrid>
    </Stack>
  );
}
