import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { post } from '~/api/session';
import { asProblem, type Problem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '~/shared/ui/problemText';

/** Leaves for the provider's page; throws a Problem when refused. */
async function leaveForProvider(): Promise<void> {
  const { url } = (await post('/api/auth0/sign_on', null)) as { url: string };
  window.location.assign(url);
}

/** Login by the tenant's provider. */
export function SignOnButton({ provider }: { provider: string }) {
  const t = useTexts();
  const [leaving, setLeaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

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
      <Text size="sm" c="dimmed" ta="center">
        {t('account:enter.or')}
      </Text>
      {problem && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} role="alert">
          {problemText(t, problem)}
        </Alert>
      )}
      <Button variant="default" size="md" fullWidth loading={leaving} onClick={() => void leave()}>
        {t('account:enter.button', { provider })}
      </Button>
    </Stack>
  );
}
