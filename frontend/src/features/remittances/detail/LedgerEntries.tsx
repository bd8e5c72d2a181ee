import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconScale } from '@tabler/icons-react';
import { useState } from 'react';
import { EntriesOf } from '~/entities/ledger/EntriesOf';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Dialog } from '~/shared/ui/Dialog';

/** The way to what a remittance moved in the books: every entry, and the event behind it. */
export function LedgerEntries({ id }: { id: string }) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        mt="xs"
        px={8}
        leftSection={<IconScale size={17} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {t('remittances:money.entries')}
      </Button>
      {opened && (
        <Dialog
          opened
          onClose={() => setOpened(false)}
          title={t('remittances:money.entries')}
          size="xl"
          fullScreen={phone}
        >
          <EntriesOf cause={id} />
        </Dialog>
      )}
    </>
  );
}
