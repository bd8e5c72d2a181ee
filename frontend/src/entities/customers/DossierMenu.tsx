import { Button, Menu } from '@mantine/core';
import { IconDownload, IconFileCertificate } from '@tabler/icons-react';
import { useState } from 'react';
import { downloadFile, may, underKey, useExportDossierMutation, useProfile } from '~/api';
import { newKey } from '~/shared/lib/newKey';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '~/shared/ui/problemText';
import { useToast } from '~/shared/ui/toasts/toasts';

const FORMATS = ['pdf', 'json'] as const;

/** Exports everything known of a customer for an authority. Each export is recorded in the event log. */
export function DossierMenu({ id }: { id: string }) {
  const t = useTexts();
  const toast = useToast();
  const { role } = useProfile();
  const [record] = useExportDossierMutation();
  const [busy, setBusy] = useState(false);
  if (!may.exportDossier.includes(role)) return null;
  const save = async (format: (typeof FORMATS)[number]) => {
    setBusy(true);
    try {
      const { position } = await record(underKey({ id }, newKey())).unwrap();
      await downloadFile(
        `/api/customer/${id}/dossiers/${position}`,
        { format },
        `dossier-${position}.${format}`,
      );
      toast('good', t('entities:dossier.recorded'));
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          mih={44}
          mt="sm"
          loading={busy}
          leftSection={<IconFileCertificate size={17} aria-hidden />}
        >
          {t('entities:dossier.label')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map((format) => (
          <Menu.Item
            key={format}
            leftSection={<IconDownload size={17} aria-hidden />}
            onClick={() => void save(format)}
          >
            {t(`entities:dossier.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
