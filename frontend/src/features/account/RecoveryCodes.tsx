import { Alert, Button, Code, Group, SimpleGrid, Stack } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '~/shared/lib/texts';

interface RecoveryCodesProps {
  /** Null where an earlier try was answered: the codes were in that answer alone. */
  codes: string[] | null;
  onDone: () => void;
}

/** Opens a page with the codes alone and prints it. */
function print(title: string, codes: string[]): void {
  const page = window.open('', '_blank');
  if (!page) return;
  page.document.title = title;
  const heading = page.document.createElement('h1');
  heading.textContent = title;
  const list = page.document.createElement('pre');
  list.textContent = codes.join('\n');
  page.document.body.append(heading, list);
  page.print();
}

/** Shows new recovery codes, this once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const t = useTexts();
  const [copied, setCopied] = useState(false);
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <Stack gap="md">
      <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
        {codes ? t('account:recovery.once') : t('account:recovery.lost')}
      </Alert>
      {codes && (
        <>
          <SimpleGrid
            component="ul"
            cols={2}
            spacing="xs"
            aria-label={t('account:recovery.title')}
            style={{ listStyle: 'none', margin: 0, padding: 0 }}
          >
            {codes.map((code) => (
              <li key={code}>
                <Code style={{ fontSize: 'var(--mantine-font-size-md)' }}>{code}</Code>
              </li>
            ))}
          </SimpleGrid>
          <Group gap="sm">
            <Button
              variant="default"
              mih={44}
              leftSection={copied ? <IconCheck size={17} aria-hidden /> : <IconCopy size={17} aria-hidden />}
              onClick={() => void copy(codes.join('\n'))}
            >
              {copied ? t('account:recovery.copied') : t('account:recovery.copy')}
            </Button>
            <Button
              variant="default"
              mih={44}
              leftSection={<IconPrinter size={17} aria-hidden />}
              onClick={() => print(t('account:recovery.title'), codes)}
            >
              {t('account:recovery.print')}
            </Button>
          </Group>
        </>
      )}
      <Group justify="flex-end">
        <Button mih={44} onClick={onDone}>
          {codes ? t('account:recovery.saved') : t('common:actions.close')}
        </Button>
      </Group>
    </Stack>
  );
}
