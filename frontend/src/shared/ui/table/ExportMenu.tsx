import { ActionIcon, Loader, Menu, Tooltip } from '@mantine/core';
import {
  type Icon,
  IconDatabaseExport,
  IconDownload,
  IconFileSpreadsheet,
  IconFileTypeCsv,
  IconFileTypePdf,
  IconPrinter,
} from '@tabler/icons-react';
import { useState } from 'react';
import { EXPORT_FORMATS, type ExportFormat } from '~/shared/lib/exportFormat';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '../problemText';
import { useToast } from '../toasts/toasts';

const ICONS = {
  csv: IconFileTypeCsv,
  xlsx: IconFileSpreadsheet,
  pdf: IconFileTypePdf,
  parquet: IconDatabaseExport,
} as const satisfies Record<ExportFormat, Icon>;

interface ExportMenuProps {
  /** Downloads the file; errors become a toast. */
  onExport: (format: ExportFormat) => Promise<void>;
  onPrint: () => void;
}

/** Exports exactly the filtered rows, of all pages. */
export function ExportMenu({ onExport, onPrint }: ExportMenuProps) {
  const t = useTexts();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const run = async (format: ExportFormat) => {
    setBusy(true);
    try {
      await onExport(format);
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="bottom-end" shadow="md">
      <Tooltip label={t('common:list.export')} withArrow openDelay={400}>
        <span>
          <Menu.Target>
            <ActionIcon variant="default" size={36} disabled={busy} aria-label={t('common:list.export')}>
              {busy ? <Loader size={16} /> : <IconDownload size={18} stroke={1.7} aria-hidden />}
            </ActionIcon>
          </Menu.Target>
        </span>
      </Tooltip>
      <Menu.Dropdown>
        {EXPORT_FORMATS.map((format) => {
          const Sign = ICONS[format];
          return (
            <Menu.Item
              key={format}
              leftSection={<Sign size={16} aria-hidden />}
              onClick={() => void run(format)}
            >
              {t(`common:list.formats.${format}`)}
            </Menu.Item>
          );
        })}
        <Menu.Item leftSection={<IconPrinter size={16} aria-hidden />} onClick={onPrint}>
          {t('common:list.print')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
