import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconFingerprint, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type PasskeyView, type SecondFactor, underKey, useProfile, useRemovePasskeyMutation } from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { hasPasskeys } from '~/shared/lib/passkeys';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Facts } from '~/shared/ui/Facts';

/** As many as the server keeps. */
const MAX_PASSKEYS = 10;

interface PasskeysProps {
  factor: SecondFactor;
  onAdd: () => void;
}

/** The reader's passkeys. */
export function Passkeys({ factor, onAdd }: PasskeysProps) {
  const t = useTexts();
  const [removing, setRemoving] = useState<PasskeyView | null>(null);
  const [remove] = useRemovePasskeyMutation();
  const { passkeys } = factor;
  const isLast = passkeys.length === 1 && !factor.hasApp;
  const hint = isLast ? (factor.isRequired ? 'removeRequired' : 'removeLast') : 'removeMessage';
  return (
    <Stack gap="md">
      <Title order={2} size="h4">
        {t('account:passkeys.title')}
      </Title>
      <Text size="sm">{t('account:passkeys.intro')}</Text>
      {passkeys.map((passkey) => (
        <Passkey key={passkey.id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
      ))}
      {hasPasskeys() ? (
        passkeys.length < MAX_PASSKEYS && (
          <Group>
            <Button mih={44} leftSection={<IconFingerprint size={17} aria-hidden />} onClick={onAdd}>
              {t('account:passkeys.add')}
            </Button>
          </Group>
        )
      ) : (
        <Text size="sm" c="dimmed">
          {t('account:passkeys.notHere')}
        </Text>
      )}
      {removing && (
        <ConfirmAct
          title={t('account:passkeys.remove')}
          message={t(`account:passkeys.${hint}`)}
          facts={[{ label: t('account:passkeys.name'), value: removing.name }]}
          confirmLabel={t('account:passkeys.remove')}
          danger
          act={(key) => remove(underKey({ id: removing.id }, key)).unwrap()}
          done={t('account:passkeys.removed')}
          onClose={() => setRemoving(null)}
        />
      )}
    </Stack>
  );
}

function Passkey({ passkey, onRemove }: { passkey: PasskeyView; onRemove: () => void }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const time = (at: string) => formatDateTime(at, locale, timeZone);
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {passkey.name}
        </Text>
        <Button
          variant="light"
          color="red"
          mih={44}
          leftSection={<IconTrash size={17} aria-hidden />}
          aria-label={t('account:passkeys.removeOne', { name: passkey.name })}
          style={{ flexShrink: 0 }}
          onClick={onRemove}
        >
          {t('account:passkeys.removeShort')}
        </Button>
      </Group>
      <Facts
        facts={[
          { label: t('account:enrolled.since'), value: time(passkey.createdAt) },
          {
            label: t('account:passkeys.used'),
            value: passkey.usedAt ? time(passkey.usedAt) : t('account:passkeys.never'),
          },
        ]}
      />
    </Stack>
  );
}
