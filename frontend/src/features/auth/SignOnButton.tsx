import { Alert, Button, Divider, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { asProblem, type Problem } from '~/shared/lib/problem';
import { PROVIDER_LOGOUT } from '~/shared/lib/providerLogout';
import { remember } from '~/shared/lib/storage';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '~/shared/ui/problemText';
import { leaveForProvider, readProvider } from './signOn';

/** Login by the tenant's provider, where it has one. */
export function SignOnButton() {
  const t = useTexts();
  const [provider, setProvider] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  useEffect(() => {
    // What a login by password must not end.
    remember(PROVIDER_LOGOUT, null);
    let gone = false;
    readProvider()
      .then((found) => !gone && setProvider(found))
      // The password still logs in.
      .catch(() => undefined);
    return () => {
      gone = true;
    };
  }, []);

  if (!provider) return null;
  const leave = async () => {
    setLeaving(true);
    setProblem(null);
    try {
      await leaveForProvider();
    } catch (thrown) {
      setLeaving(false);
      setProblem(asProblem(thrown));
    }
  };
  return (
    <Stack gap="sm">
      <Divider label={t('auth:signOn.or')} />
      {problem && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} role="alert">
          {problemText(t, problem)}
        </Alert>
      )}
      <Button variant="default" size="md" fullWidth loading={leaving} onClick={() => void leave()}>
        {t('auth:signOn.button', { provider })}
      </Button>
    </Stack>
  );
}
