import { Button, Menu } from '@mantine/core';
import { IconFileSpreadsheet, IconFileText, IconFileTypeCsv, IconNotebook } from '@tabler/icons-react';
import { useState } from 'react';
import { downloadFile } from '~/api';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '~/shared/ui/problemText';
import { useToast } from '~/shared/ui/toasts/toasts';

const FORMATS = [
  { format: 'hledger', icon: IconFileText, file: 'journal' },
  { format: 'beancount', icon: IconFileText, file: 'beancount' },
  { format: 'csv', icon: IconFileTypeCsv, file: 'csv' },
  { format: 'xlsx', icon: IconFileSpreadsheet, file: 'xlsx' },
] as const;

/** The whole ledger for another program. */
export function JournalMenu() {
  const t = useTexts();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const fetchAs = async ({ format, file }: (typeof FORMATS)[number]) => {
    setBusy(true);
    try {
      await downloadFile('/api/accounting/export', { format }, `caudal.${file}`);
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" loading={busy} leftSection={<IconNotebook size={17} aria-hidden />}>
          {t('entities:journal.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map((one) => (
          <Menu.Item
            key={one.format}
            leftSection={<one.icon size={16} aria-hidden />}
            onClick={() => void fetchAs(one)}
          >
            {t(`entities:journal.formats.${one.format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
