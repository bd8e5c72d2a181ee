import { Text } from '@mantine/core';
import type { Preview } from '~/api';
import { NeedsApproval } from '~/entities/approvals/NeedsApproval';
import { Postings } from '~/entities/ledger/Postings';
import type { Problem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { Fold } from '~/shared/ui/Fold';
import { problemText } from '~/shared/ui/problemText';

/** Statuses of the rules' refusals; what else goes wrong with a preview says nothing of the write. */
const RULES = new Set([409, 422]);

interface EffectProps {
  preview: Preview | null;
  /** Why it would be refused, where the form's fields do not tell. */
  refusal?: Problem | null;
}

/** What a write would do, by its preview: which rule makes it wait and, folded, its postings with balances before and after. */
export function Effect({ preview, refusal }: EffectProps) {
  const t = useTexts();
  if (refusal && RULES.has(refusal.status))
    return (
      <Text size="sm" c="var(--caudal-bad-text)" role="status">
        {problemText(t, refusal)}
      </Text>
    );
  if (!preview) return null;
  return (
    <>
      <NeedsApproval approval={preview.approval ?? null} />
      {preview.transfers.length > 0 && (
        <Fold title={t('entities:ledger.postings')}>
          <Postings transfers={preview.transfers} />
        </Fold>
      )}
    </>
  );
}
