import type { Preview } from '~/api';
import { NeedsApproval } from '~/entities/approvals/NeedsApproval';
import { Postings } from '~/entities/ledger/Postings';
import { useTexts } from '~/shared/lib/texts';
import { Fold } from '~/shared/ui/Fold';

/** What a write would do, by its preview: which rule makes it wait and, folded, its postings with balances before and after. */
export function Effect({ preview }: { preview: Preview | null }) {
  const t = useTexts();
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
