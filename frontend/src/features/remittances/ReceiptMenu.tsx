import { Button, Menu } from '@mantine/core';
import { IconDownload, IconPrinter, IconReceipt, IconShare3 } from '@tabler/icons-react';
import { useState } from 'react';
import { downloadFile, openFile, shareFile, sharesFiles } from '~/api';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '~/shared/ui/problemText';
import { useToast } from '~/shared/ui/toasts/toasts';

/** A remittance's receipt, made by the server: to print, to save, and on a telephone to send on. */
export function ReceiptMenu({ id, code }: { id: string; code: string }) {
  const t = useTexts();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const path = `/api/remittances/${id}/receipt`;
  const file = `${code}.pdf`;
  const run = async (bring: () => Promise<void>) => {
    setBusy(true);
    try {
      await bring();
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <Button variant="default" mih={44} loading={busy} leftSection={<IconReceipt size={17} aria-hidden />}>
          {t('remittances:receipt.label')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPrinter size={17} aria-hidden />}
          onClick={() => void run(() => openFile(path, file))}
        >
          {t('remittances:receipt.print')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDownload size={17} aria-hidden />}
          onClick={() => void run(() => downloadFile(path, {}, file))}
        >
          {t('remittances:receipt.download')}
        </Menu.Item>
        {sharesFiles() && (
          <Menu.Item
            leftSection={<IconShare3 size={17} aria-hidden />}
            onClick={() => void run(() => shareFile(path, file, code))}
          >
            {t('remittances:receipt.send')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
