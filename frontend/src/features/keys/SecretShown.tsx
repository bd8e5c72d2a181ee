import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { CopyValue } from '~/shared/ui/CopyValue';
import { Dialog } from '~/shared/ui/Dialog';

export interface Secret {
  name: string;
  /** Null where an earlier try was answered: the secret was in that answer alone. */
  secret: string | null;
}

/** Shows a new secret, this once. A stray tap or Escape does not close it. */
export function SecretShown({ name, secret, onClose }: Secret & { onClose: () => void }) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('keys:secret.title', { name })}
      size="lg"
      fullScreen={phone}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        {secret === null ? (
          <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
            {t('keys:secret.lost')}
          </Alert>
        ) : (
          <>
            <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
              {t('keys:secret.once')}
            </Alert>
            <CopyValue value={secret} label={t('keys:secret.label')}>
              <Code style={{ overflowWrap: 'anywhere', fontSize: 'var(--mantine-font-size-sm)' }}>
                {secret}
              </Code>
            </CopyValue>
            <Text size="sm">{t('keys:secret.use')}</Text>
            <Code block>{`Authorization: Bearer ${secret.slice(0, 20)}…`}</Code>
          </>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus={secret === null || undefined}>
            {t(secret === null ? 'common:actions.close' : 'keys:secret.saved')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
