import { Alert, Button, Group, Menu, Paper, Progress, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconColumns3,
  IconEyeSearch,
  IconFileDownload,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import {
  downloadFile,
  type ImportDetail,
  underKey,
  useCancelImportMutation,
  useGetImportQuery,
  usePauseImportMutation,
  usePreviewImportMutation,
  useProfile,
  useResumeImportMutation,
  useStartImportMutation,
} from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount, formatMoney, isZero } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { type Fact, Facts } from '~/shared/ui/Facts';
import { Loaded } from '~/shared/ui/Loaded';
import { Money } from '~/shared/ui/Money';
import { PageHeader } from '~/shared/ui/PageHeader';
import { problemText } from '~/shared/ui/problemText';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { useToast } from '~/shared/ui/toasts/toasts';
import { isAtWork, POLL_MS, STATES } from './look';
import { MappingForm } from './MappingForm';
import { ProofsPanel } from './ProofsPanel';
import { RowsTable } from './RowsTable';

/** One file from its columns to the report of its run. */
export default function ImportPage() {
  const { id = '' } = useParams();
  const [polls, setPolls] = useState(false);
  const query = useGetImportQuery(
    { id },
    { refetchOnMountOrArgChange: true, pollingInterval: polls ? POLL_MS : 0 },
  );
  const atWork = query.currentData ? isAtWork(query.currentData) : false;
  if (atWork !== polls) setPolls(atWork);
  return <Loaded query={query}>{(data) => <Shown key={data.id} of={data} />}</Loaded>;
}

function Shown({ of }: { of: ImportDetail }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const [remaps, setRemaps] = useState(false);
  const previewed = of.shownCounts;
  const hasRows =
    previewed.added + previewed.there + previewed.waiting + previewed.refused + previewed.leftOut > 0;
  // The columns are asked for first; later on demand, beside the rows that are being corrected.
  const maps = of.own && of.mapping && (remaps || (of.state === 'mapping' && !hasRows));
  return (
    <>
      <PageHeader title={of.name || t('imports:list.unnamed')}>
        <Actions of={of} maps={Boolean(maps)} onMap={() => setRemaps(true)} />
      </PageHeader>
      <Stack gap="md">
        <Group gap="sm">
          <StatusBadge {...STATES[of.state]} label={t(`imports:states.${of.state}`)} />
          <Text size="sm">{t(`imports:kinds.${of.kind}`)}</Text>
          <Text size="sm" c="dimmed">
            {t('imports:shown.made', {
              who: of.maker.name ?? t('entities:erased'),
              at: formatDateTime(of.createdAt, locale, timeZone),
            })}
          </Text>
        </Group>
        {of.failure && (
          <Alert color="red" icon={<IconAlertTriangle size={18} aria-hidden />}>
            {of.failure.detail}
          </Alert>
        )}
        {of.mapping === null && (
          <Alert color="gray">
            {t('imports:shown.erased', { at: formatDateTime(of.eraseAt, locale, timeZone) })}
          </Alert>
        )}
        <Work of={of} />
        <ProofsPanel of={of} />
        {maps && of.mapping ? (
          <MappingForm of={of} mapping={of.mapping} onSaved={() => setRemaps(false)} />
        ) : (
          <>
            {of.state === 'mapping' && hasRows && (
              <Alert color="gray">{t('imports:shown.previewAgain')}</Alert>
            )}
            {hasRows && <Figures of={of} />}
            {hasRows && <RowsTable of={of} />}
          </>
        )}
      </Stack>
    </>
  );
}

/** How far a preview or a run is. */
function Work({ of }: { of: ImportDetail }) {
  const t = useTexts();
  const locale = useLocale();
  if (!isAtWork(of) && of.state !== 'paused') return null;
  const share = of.rows > 0 ? (100 * of.done) / of.rows : 0;
  const told = t(`imports:work.${of.state as 'running'}`, {
    done: formatCount(of.done, locale),
    rows: formatCount(of.rows, locale),
  });
  return (
    <Paper withBorder p="md">
      <Text size="sm" mb={6} role="status">
        {told}
      </Text>
      <Progress value={share} aria-label={told} animated={isAtWork(of)} />
    </Paper>
  );
}

/** Rows by result, and money. */
function Figures({ of }: { of: ImportDetail }) {
  const t = useTexts();
  const locale = useLocale();
  const ran = of.runCounts.added + of.runCounts.there + of.runCounts.waiting + of.runCounts.refused > 0;
  const counts = ran ? of.runCounts : of.previewCounts;
  // Rows that the preview counted were refused in the run: others did something in between.
  const fellShort = of.state !== 'previewed' && of.runCounts.refused > of.previewCounts.refused;
  const results = ['added', 'there', 'waiting', 'refused', 'leftOut'] as const;
  const facts: Fact[] = results
    .filter((result) => counts[result] > 0)
    .map((result) => ({
      label: t(`imports:${ran ? 'ran' : 'would'}.${result}`),
      value: formatCount(counts[result], locale),
      strong: result === 'refused',
    }));
  const money: Fact[] = [
    ...of.expected.map(({ currency, expected, found, difference }) => ({
      key: `total ${currency}`,
      label: t(`imports:money.${found === expected ? (fellShort ? 'fellShort' : 'equal') : 'differs'}`),
      strong: fellShort || found !== expected,
      value:
        found === expected ? (
          <Money value={found} currency={currency} />
        ) : (
          t('imports:money.difference', {
            found: `${formatMoney(found, locale)} ${currency}`,
            expected: `${formatMoney(expected, locale)} ${currency}`,
            difference: `${formatMoney(difference, locale)} ${currency}`,
          })
        ),
    })),
    ...of.sums.flatMap(({ currency, charged, paidOut, opened }) => [
      {
        key: `opened ${currency}`,
        label: t('imports:money.opened'),
        value: <Money value={opened} currency={currency} />,
      },
      {
        key: `in ${currency}`,
        label: t('imports:money.charged'),
        value: <Money value={charged} currency={currency} />,
      },
      {
        key: `out ${currency}`,
        label: t('imports:money.paidOut'),
        value: <Money value={paidOut} currency={currency} />,
      },
    ]),
    ...of.balances.map(({ currency, begins, ends }) => ({
      key: `balance ${currency}`,
      label: t(of.kind === 'completions' ? 'imports:money.cash' : 'imports:money.balance'),
      value: (
        <>
          <Money value={begins} currency={currency} signed /> →{' '}
          <Money value={ends} currency={currency} signed />
        </>
      ),
    })),
  ].filter(({ key }) => !isZeroSum(of, key) && !isCompared(of, key));
  return (
    <Group align="flex-start" gap="md" grow preventGrowOverflow={false}>
      <Paper withBorder p="md" component="section" aria-label={t('imports:shown.results')}>
        <Facts facts={facts} figures />
      </Paper>
      {money.length > 0 && (
        <Paper withBorder p="md" component="section" aria-label={t('imports:shown.money')}>
          <Facts facts={money} figures />
        </Paper>
      )}
    </Group>
  );
}

/** Sums of nothing, such as what is paid out in the currency that is charged. */
function isZeroSum(of: ImportDetail, key: string): boolean {
  return of.sums.some(
    ({ currency, charged, paidOut, opened }) =>
      (key === `opened ${currency}` && isZero(opened)) ||
      (key === `in ${currency}` && isZero(charged)) ||
      (key === `out ${currency}` && isZero(paidOut)),
  );
}

/** What a row above compares with an expected total. */
function isCompared(of: ImportDetail, key: string): boolean {
  return of.expected.some(({ currency }) => key === `opened ${currency}`);
}

function Actions({ of, maps, onMap }: { of: ImportDetail; maps: boolean; onMap: () => void }) {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const [asks, setAsks] = useState<'start' | 'cancel' | null>(null);
  const [preview, previewing] = usePreviewImportMutation();
  const [pause, pausing] = usePauseImportMutation();
  const [resume, resuming] = useResumeImportMutation();
  const [start] = useStartImportMutation();
  const [cancel] = useCancelImportMutation();
  const act = async (done: Promise<unknown>) => {
    try {
      await done;
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    }
  };
  const file = (format: 'csv' | 'xlsx') =>
    void act(downloadFile(`/api/imports/${of.id}/file`, { format }, `import-errors.${format}`));
  const { state } = of;
  const refused = of.shownCounts.refused;
  const mayPreview =
    (state === 'mapping' || state === 'previewed' || (state === 'done' && refused > 0)) && !maps;
  const count = (value: number) => formatCount(value, locale);
  return (
    <>
      {refused > 0 && of.mapping && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<IconFileDownload size={17} aria-hidden />}>
              {t('imports:acts.errors')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => file('xlsx')}>XLSX</Menu.Item>
            <Menu.Item onClick={() => file('csv')}>CSV</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {of.own && mayPreview && (
        <>
          <Button variant="default" leftSection={<IconColumns3 size={17} aria-hidden />} onClick={onMap}>
            {t('imports:acts.columns')}
          </Button>
          <Button
            variant={state === 'previewed' ? 'default' : 'filled'}
            leftSection={<IconEyeSearch size={17} aria-hidden />}
            loading={previewing.isLoading}
            onClick={() => void act(preview({ id: of.id }).unwrap())}
          >
            {t('imports:acts.preview')}
          </Button>
        </>
      )}
      {of.own && state === 'previewed' && !maps && (
        <Button
          leftSection={<IconPlayerPlay size={17} aria-hidden />}
          disabled={of.previewCounts.added + of.previewCounts.waiting === 0}
          onClick={() => setAsks('start')}
        >
          {t('imports:acts.start')}
        </Button>
      )}
      {of.stoppable && state === 'running' && (
        <Button
          leftSection={<IconPlayerPause size={17} aria-hidden />}
          loading={pausing.isLoading}
          onClick={() => void act(pause({ id: of.id }).unwrap())}
        >
          {t('imports:acts.pause')}
        </Button>
      )}
      {of.own && state === 'paused' && (
        <Button
          leftSection={<IconPlayerPlay size={17} aria-hidden />}
          loading={resuming.isLoading}
          onClick={() => void act(resume({ id: of.id }).unwrap())}
        >
          {t('imports:acts.resume')}
        </Button>
      )}
      {of.stoppable && state !== 'done' && state !== 'canceled' && (
        <Button
          variant="default"
          leftSection={<IconBan size={17} aria-hidden />}
          onClick={() => setAsks('cancel')}
        >
          {t('imports:acts.cancel')}
        </Button>
      )}
      {asks === 'start' && (
        <ConfirmAct
          title={t('imports:start.title')}
          message={t('imports:start.message')}
          facts={[
            ...(of.seller
              ? [{ label: t('imports:mapping.owner'), value: of.seller.name ?? t('entities:erased') }]
              : []),
            { label: t('imports:would.added'), value: count(of.previewCounts.added) },
            { label: t('imports:would.waiting'), value: count(of.previewCounts.waiting) },
            { label: t('imports:would.refused'), value: count(of.previewCounts.refused) },
            ...of.sums
              .filter(({ opened }) => !isZero(opened))
              .map(({ currency, opened }) => ({
                key: `opened ${currency}`,
                label: t('imports:money.opened'),
                value: <Money value={opened} currency={currency} />,
              })),
            ...of.balances.map(({ currency, ends }) => ({
              key: currency,
              label: t('imports:money.after'),
              value: <Money value={ends} currency={currency} signed />,
            })),
          ]}
          confirmLabel={t('imports:acts.start')}
          act={(key) => start(underKey({ id: of.id }, key)).unwrap()}
          done={t('imports:start.done')}
          onClose={() => setAsks(null)}
        />
      )}
      {asks === 'cancel' && (
        <ConfirmAct
          title={t('imports:cancel.title')}
          message={t('imports:cancel.message')}
          facts={[
            { label: t('imports:list.file'), value: of.name || t('imports:list.unnamed') },
            { label: t('imports:ran.added'), value: count(of.runCounts.added) },
          ]}
          confirmLabel={t('imports:acts.cancel')}
          danger
          act={(key) => cancel(underKey({ id: of.id }, key)).unwrap()}
          done={t('imports:cancel.done')}
          onClose={() => setAsks(null)}
        />
      )}
    </>
  );
}
