import { Button, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle, IconCircleCheck, IconClockPause } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { newKey, type Proposal, underKey, useApproveProposalMutation } from '~/api';
import { asProblem, QUOTE_CHANGED } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Dialog } from '~/shared/ui/Dialog';
import { Money } from '~/shared/ui/Money';
import { problemText } from '~/shared/ui/problemText';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { proposalName } from './columns';

/** A row's answer: approved, or why not. */
type Answer = { ok: true } | { ok: false; says: string };

/** Approves several proposals one after the other, each with its own key, and answers for each. */
export function BulkApproveDialog({ rows, onClose }: { rows: Proposal[]; onClose: () => void }) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  const [approve] = useApproveProposalMutation();
  // The list that the rows came from loses those that are approved.
  const [all] = useState(rows);
  const [answers, setAnswers] = useState<Record<string, Answer>>({});
  const [running, setRunning] = useState(false);
  const keys = useRef(new Map<string, string>());
  const left = all.filter(({ id }) => !answers[id]?.ok);

  const run = async () => {
    setRunning(true);
    for (const { id } of left) {
      // A row whose answer was lost is sent again under its key.
      const key = keys.current.get(id) ?? newKey();
      keys.current.set(id, key);
      let answer: Answer;
      try {
        await approve({ id, approvalInput: underKey({}, key) }).unwrap();
        answer = { ok: true };
      } catch (thrown) {
        const problem = asProblem(thrown);
        const says = problem.code === QUOTE_CHANGED ? t('approvals:bulk.changed') : problemText(t, problem);
        answer = { ok: false, says };
      }
      setAnswers((before) => ({ ...before, [id]: answer }));
    }
    setRunning(false);
  };
  const answered = Object.keys(answers).length > 0;
  return (
    <Dialog
      opened
      onClose={running ? () => undefined : onClose}
      title={t('approvals:bulk.title', { count: all.length })}
      size="lg"
      fullScreen={phone}
    >
      <Stack gap="md">
        <Text size="sm">{t('approvals:bulk.message')}</Text>
        <Stack gap="sm" role="list">
          {all.map((row) => {
            const answer = answers[row.id];
            return (
              <Group key={row.id} role="listitem" justify="space-between" gap="sm">
                <div>
                  <Text size="sm">{proposalName(t, row)}</Text>
                  {row.amount && <Money value={row.amount} currency="USD" />}
                  {answer && !answer.ok && (
                    <Text size="sm" role="alert">
                      {answer.says}
                    </Text>
                  )}
                </div>
                {!answer ? (
                  <StatusBadge tone="waiting" icon={IconClockPause} label={t('approvals:statuses.waiting')} />
                ) : answer.ok ? (
                  <StatusBadge tone="good" icon={IconCircleCheck} label={t('approvals:statuses.approved')} />
                ) : (
                  <StatusBadge tone="bad" icon={IconAlertTriangle} label={t('approvals:bulk.notApproved')} />
                )}
              </Group>
            );
          })}
        </Stack>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" mih={44} onClick={onClose} disabled={running}>
            {t(answered ? 'common:actions.close' : 'common:actions.cancel')}
          </Button>
          {left.length > 0 && (
            <Button mih={44} loading={running} onClick={() => void run()}>
              {t('approvals:approve.action')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
