import { Skeleton, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import {
  type ClosurePreview,
  underKey,
  useClosePeriodMutation,
  usePreviewAgencyClosuresQuery,
  usePreviewAgentClosuresQuery,
  useProfile,
} from '~/api';
import { filterToday, filterYesterday } from '~/entities/filters/period';
import { Effect } from '~/entities/money/Effect';
import { usePreviewOf } from '~/entities/money/usePreviewOf';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { DayPick } from '~/shared/ui/DayPick';
import { Money } from '~/shared/ui/Money';
import { problemText } from '~/shared/ui/problemText';
import { periodText } from './columns';
import type { Sellers } from './sellers';
import { useReader } from './useReader';

interface CloseDialogProps {
  sellers: Sellers;
  party: ClosurePreview['party'];
  /** Shows what was closed. */
  onDone: (id: string) => void;
  onClose: () => void;
}

/** Closes a seller's period up to a day: what would be frozen and billed stands above the button. */
export function CloseDialog({ sellers, party, onDone, onClose }: CloseDialogProps) {
  const t = useTexts();
  const reader = useReader();
  const { timeZone } = useProfile();
  const [to, setTo] = useState<string | undefined>(() => filterYesterday(timeZone));
  const [close] = useClosePeriodMutation();
  const agencies = usePreviewAgencyClosuresQuery(
    { agencyReportInput: { agencyId: party.id, finalDate: to } },
    { skip: sellers !== 'agencies' },
  );
  const agents = usePreviewAgentClosuresQuery(
    { agentReportInput: { agentId: party.id, finalDate: to } },
    { skip: sellers !== 'agents' },
  );
  const { currentData, error } = sellers === 'agencies' ? agencies : agents;
  const preview = currentData?.data[0];
  const name = party.name ?? t('entities:erased');
  const closed = useRef<string | null>(null);
  const input = { partyId: party.id, ...(to && { to }) };
  const { answer: effect, refusal } = usePreviewOf(
    preview ? { url: '/api/accounting/closures', body: input } : null,
  );
  // What the closing itself was refused for stands in the dialog.
  const [tried, setTried] = useState(false);
  const usd = (value: string) => <Money value={value} currency="USD" signed />;
  const run = async (key: string) => {
    setTried(true);
    closed.current = (await close({ closureInput: underKey(input, key) }).unwrap()).id;
  };
  return (
    <ConfirmAct
      title={t('accounting:close.title', { name })}
      message={t('accounting:close.message')}
      facts={[
        { label: t('accounting:closures.seller'), value: name },
        ...(preview
          ? [
              { label: t('accounting:closures.period'), value: periodText(reader, preview) },
              { label: t('accounting:closures.remittances'), value: preview.figures.remittances },
              { label: t('accounting:closures.amount'), value: usd(preview.figures.amount) },
              {
                label: t('accounting:closures.toBill'),
                value: usd(preview.figures.commissionAccrued),
                strong: true,
              },
            ]
          : []),
        {
          key: 'to',
          label: t('accounting:close.until'),
          value: (
            <>
              <DayPick
                label={t('accounting:close.until')}
                placeholder={t('accounting:close.now')}
                latest={filterToday(timeZone)}
                day={to}
                onChange={(day) => {
                  setTo(day);
                  setTried(false);
                }}
              />
              {!preview && !error && <Skeleton height={14} mt={8} />}
              {error && (
                <Text size="sm" c="var(--caudal-bad-text)" mt={4}>
                  {problemText(t, asProblem(error))}
                </Text>
              )}
            </>
          ),
        },
      ]}
      confirmLabel={effect?.approval ? t('entities:approval.propose') : t('accounting:close.confirm')}
      ready={preview !== undefined}
      act={run}
      done={t('accounting:close.done')}
      onDone={() => closed.current && onDone(closed.current)}
      onClose={onClose}
    >
      <Effect preview={effect} refusal={tried ? null : refusal} />
    </ConfirmAct>
  );
}
