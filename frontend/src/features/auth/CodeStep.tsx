import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { hasPasskeys } from '~/shared/lib/passkeys';
import { asProblem, type Problem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '~/shared/ui/problemText';
import { PasskeyButton } from './PasskeyButton';

interface CodeStepProps {
  /** Logs in with the code; throws a Problem when refused. */
  send: (code: string) => Promise<void>;
  /** Back to the first step. */
  onBack: () => void;
}

/** The login's second step, after the first was right: the code of the second factor. */
export function CodeStep({ send, onBack }: CodeStepProps) {
  const t = useTexts();
  const [code, setCode] = useState('');
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const atField = problem?.fields.find(({ field }) => field === 'code' || field === 'secondFactor');

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (sending || code.trim() === '') return;
    setSending(true);
    setProblem(null);
    try {
      await send(code.trim());
    } catch (thrown) {
      setCode('');
      setProblem(asProblem(thrown));
    } finally {
      setSending(false);
    }
  }

  return (
    <form aria-label={t('auth:login.title')} noValidate onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <TextInput
          name="code"
          label={t('auth:login.code')}
          description={t('auth:login.codeHint')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          size="md"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={atField?.detail}
        />
        {problem && !atField && (
          <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} role="alert">
            {problemText(t, problem)}
          </Alert>
        )}
        <Button type="submit" loading={sending} size="md" mt="xs" fullWidth>
          {t('auth:login.submit')}
        </Button>
        {hasPasskeys() && <PasskeyButton />}
        <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
          {t('auth:login.startAgain')}
        </Anchor>
      </Stack>
    </form>
  );
}
