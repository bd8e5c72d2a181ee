import { Alert, Button, Stack } from '@mantine/core';
import { IconAlertTriangle, IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { logInByPasskey } from '~/api/passkeyLogin';
import { NoPasskeyGiven } from '~/shared/lib/passkeys';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '~/shared/ui/problemText';

/** Login by a passkey, without password. */
export function PasskeyButton() {
  const t = useTexts();
  const [asking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState('');

  const ask = async () => {
    setAsking(true);
    setRefusal('');
    try {
      await logInByPasskey();
    } catch (thrown) {
      const none = thrown instanceof NoPasskeyGiven;
      setRefusal(none ? t('auth:login.noPasskey') : problemText(t, asProblem(thrown)));
    } finally {
      setAsking(false);
    }
  };
  return (
    <Stack gap="sm">
      {refusal && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} role="alert">
          {refusal}
        </Alert>
      )}
      <Button
        variant="default"
        size="md"
        fullWidth
        loading={asking}
        leftSection={<IconFingerprint size={18} aria-hidden />}
        onClick={() => void ask()}
      >
        {t('auth:login.passkey')}
      </Button>
    </Stack>
  );
}
