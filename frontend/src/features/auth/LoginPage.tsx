import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import { LOGIN_CODE_REQUIRED, lastSessionEnd, sessionOwner, startSession } from '~/api/session';
import { currentTenant, nameTenant } from '~/api/tenant';
import { useSession } from '~/api/useSession';
import type { CameFrom } from '~/shared/lib/cameFrom';
import { asProblem, type Problem } from '~/shared/lib/problem';
import { retryingImport } from '~/shared/lib/retryingImport';
import { useTexts } from '~/shared/lib/texts';
import { latePart } from '~/shared/ui/latePart';
import { problemText } from '~/shared/ui/problemText';
import { useTitle } from '~/shared/ui/useTitle';
import { AuthCard } from './AuthCard';
import { looksLikeEmail } from './looksLikeEmail';

/** Loaded for accounts with a second factor. */
const CodeStep = latePart(async () => (await retryingImport(() => import('./CodeStep'))).CodeStep);

interface LoginPageProps {
  landing: string;
  /** Stands there after the login, until the screen that it leads to is loaded. */
  leaving: ReactNode;
  /** Called at each key with the address that the login leads to: time to load what is there. */
  onTyping: (target: string) => void;
  /** Why the last session ended. */
  above?: ReactNode;
  /** Other ways to log in. */
  below?: ReactNode;
}

/** Logs in, to the tenant of the address (?tenant=), the remembered one, or the default. */
export function LoginPage({ landing, leaving, onTyping, above, below }: LoginPageProps) {
  const t = useTexts();
  const session = useSession();
  const location = useLocation();
  const [params] = useSearchParams();
  const named = params.get('tenant');
  // A session that is open or may be has its own tenant; the address then says nothing.
  if (named && session !== 'authenticated') nameTenant(named);
  useTitle(t('auth:login.title'));

  const { from, whose } = (location.state as CameFrom | null) ?? {};
  if (session !== 'anonymous') {
    const leadsBack = whose === undefined || whose === sessionOwner();
    return (
      <>
        <Navigate to={(leadsBack && from) || landing} replace />
        {leaving}
      </>
    );
  }

  const tenant = currentTenant();
  return (
    <AuthCard
      title={t('auth:login.heading')}
      hint={tenant === 'default' ? t('auth:login.hint') : t('auth:login.tenant', { tenant })}
    >
      {lastSessionEnd() && above}
      <LoginForm onTyping={() => onTyping(from ?? landing)} below={below} />
    </AuthCard>
  );
}

interface LoginFormProps extends Pick<LoginPageProps, 'below'> {
  onTyping?: () => void;
  /** The address of the only one who may log in. */
  only?: string;
}

/** Two fields without the library that the other forms share: a first visit would wait for its 15 KB. */
export function LoginForm({ onTyping, below, only }: LoginFormProps) {
  const t = useTexts();
  const [email, setEmail] = useState(only ?? '');
  const [password, setPassword] = useState('');
  const [checked, setChecked] = useState(false);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  const emailError = checked && !looksLikeEmail(email) && t('auth:errors.email');
  const passwordError = checked && password === '' && t('auth:errors.password');

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (sending) return;
    setChecked(true);
    setProblem(null);
    if (!looksLikeEmail(email)) return emailField.current?.focus();
    if (password === '') return passwordField.current?.focus();
    setSending(true);
    try {
      await startSession(email.trim(), password);
    } catch (thrown) {
      setProblem(asProblem(thrown));
    } finally {
      setSending(false);
    }
  }

  if (problem?.code === LOGIN_CODE_REQUIRED) {
    return (
      <CodeStep send={(code) => startSession(email.trim(), password, code)} onBack={() => setProblem(null)} />
    );
  }
  return (
    <>
      {/* The browser's own bubbles would speak its language, not the reader's. */}
      <form
        aria-label={t('auth:login.title')}
        noValidate
        onSubmit={(event) => void submit(event)}
        onInput={onTyping}
      >
        <Stack gap="sm">
          <TextInput
            ref={emailField}
            name="email"
            type="email"
            label={t('auth:login.email')}
            autoComplete="username"
            autoFocus={!only}
            readOnly={!!only}
            size="md"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={emailError}
          />
          <PasswordInput
            ref={passwordField}
            name="password"
            label={t('auth:login.password')}
            autoComplete="current-password"
            data-autofocus={only}
            size="md"
            visibilityToggleButtonProps={{ 'aria-label': t('common:password.show') }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={passwordError}
            // Mantine says it of every input but this one.
            aria-invalid={passwordError ? true : undefined}
          />
          {problem && (
            <Alert
              color="red"
              variant="light"
              icon={<IconAlertTriangle size={18} aria-hidden />}
              role="alert"
            >
              {problemText(t, problem)}
            </Alert>
          )}
          <Button type="submit" loading={sending} size="md" mt="xs" fullWidth>
            {t('auth:login.submit')}
          </Button>
          <Anchor
            component={Link}
            to="/users/password/forgot/"
            target={only && '_blank'}
            size="sm"
            ta="center"
          >
            {t('auth:login.forgot')}
          </Anchor>
        </Stack>
      </form>
      {below}
    </>
  );
}
