import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from './breakpoints';
import { CopyValue } from './CopyValue';
import { Dialog } from './Dialog';

interface SecretShownProps {
  title: string;
  /** Null where an earlier try was answered: the secret was in that answer alone. */
  secret: string | null;
  /** Names the secret for the button that copies it. */
  label: string;
  once: string;
  /** What the secret is for. */
  use: string;
  /** How it is used. */
  example?: (secret: string) => string;
  saved: string;
  lost: string;
  onClose: () => void;
}

/** Shows a new secret, this once. A stray tap or Escape does not close it. */
export function SecretShown({ secret, example, onClose, ...texts }: SecretShownProps) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  return (
    <Dialog
      opened
      onClose={onClose}
      title={texts.title}
      size="lg"
      fullScreen={phone}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        {secret === null ? (
          <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
            {texts.lost}
          </Alert>
        ) : (
          <>
            <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
              {texts.once}
            </Alert>
            <CopyValue value={secret} label={texts.label}>
              <Code style={{ overflowWrap: 'anywhere', fontSize: 'var(--mantine-font-size-sm)' }}>
                {secret}
              </Code>
            </CopyValue>
            <Text size="sm">{texts.use}</Text>
            {example && <Code block>{example(secret)}</Code>}
          </>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus={secret === null || undefined}>
            {secret === null ? t('common:actions.close') : texts.saved}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
