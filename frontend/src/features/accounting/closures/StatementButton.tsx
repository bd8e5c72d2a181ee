import { Button } from '@mantine/core';
import { IconFileTypePdf } from '@tabler/icons-react';
import { type Closure, downloadFile } from '~/api';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '~/shared/ui/problemText';
import { useToast } from '~/shared/ui/toasts/toasts';

/** Downloads a closure's statement as the server makes it. */
export function StatementButton({ closure }: { closure: Closure }) {
  const t = useTexts();
  const toast = useToast();
  const download = () =>
    downloadFile(`/api/accounting/closures/${closure.id}/statement`, {}, `${closure.number}.pdf`).catch(
      (thrown) => toast('bad', problemText(t, asProblem(thrown))),
    );
  return (
    <Button
      variant="default"
      leftSection={<IconFileTypePdf size={17} aria-hidden />}
      onClick={() => void download()}
    >
      {t('accounting:closures.statement')}
    </Button>
  );
}
