import { Alert, Button, Center, Loader } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { LOGIN_CODE_REQUIRED, logInBy } from '~/api/session';
import { nameTenant } from '~/api/tenant';
import { useSession } from '~/api/useSession';
import { asProblem, type Problem } from '~/shared/lib/problem';
import { PROVIDER_LOGOUT } from '~/shared/lib/providerLogout';
import { remember } from '~/shared/lib/storage';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '~/shared/ui/problemText';
import { useTitle } from '~/shared/ui/useTitle';
import { AuthCard } from './AuthCard';
import { CodeStep } from './CodeStep';

/** Logs in with what the provider's page led back with; throws a Problem when refused. */
async function finishSignOn(code: string, state: string, secondFactor?: string): Promise<void> {
  const [tenant = ''] = state.split('.');
  nameTenant(tenant);
  const body = { code, state, ...(secondFactor && { secondFactor }) };
  const { logoutUrl } = await logInBy('/api/auth0/sign_on/finish', body);
  remember(PROVIDER_LOGOUT, logoutUrl ?? null);
}

/** Where the provider leads back to: logs in with its answer. */
export function SignOnPage() {
  const t = useTexts();
  const session = useSession();
  const [params] = useSearchParams();
  const code = params.get('code') ?? '';
  const state = params.get('state') ?? '';
  const [problem, setProblem] = useState<Problem | null>(null);
  const begun = useRef(false);
  useTitle(t('auth:login.title'));

  useEffect(() => {
    // A code is good for one use: React's second run in development must not take it.
    if (begun.current || !code) return;
    begun.current = true;
    finishSignOn(code, state).catch((thrown) => setProblem(asProblem(thrown)));
  }, [code, state]);

  if (session === 'authenticated') return <Navigate to="/" replace />;
  if (problem?.code === LOGIN_CODE_REQUIRED) {
    return (
      <AuthCard title={t('auth:login.heading')} hint={t('auth:login.codeHint')}>
        <CodeStep
          send={(factor) => finishSignOn(code, state, factor)}
          onBack={() => window.location.assign('/')}
        />
      </AuthCard>
    );
  }
  return (
    <AuthCard title={t('auth:login.heading')} hint={t('account:enter.hint')}>
      {problem || !code ? (
        <>
          <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} role="alert">
            {problem ? problemText(t, problem) : t('account:enter.denied')}
          </Alert>
          <Button component={Link} to="/" size="md" fullWidth>
            {t('auth:forgot.back')}
          </Button>
        </>
      ) : (
        <Center>
          <Loader aria-label={t('account:enter.hint')} />
        </Center>
      )}
    </AuthCard>
  );
}
