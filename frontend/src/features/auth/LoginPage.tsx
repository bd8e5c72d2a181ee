import { Anchor, Button } from '@mantine/core';
import type { FieldErrors, Resolver } from 'react-hook-form';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import { newKey } from '~/api/idempotency';
import { startSession } from '~/api/session';
import { currentTenant, nameTenant } from '~/api/tenant';
import { useSession } from '~/api/useSession';
import { useTexts } from '~/shared/lib/texts';
import { FormShell } from '~/shared/ui/form/FormShell';
import { PasswordField, TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { useTitle } from '~/shared/ui/useTitle';
import { AuthCard } from './AuthCard';
import { looksLikeEmail, resolved } from './credentials';

interface Credentials {
  email: string;
  password: string;
}

const resolver: Resolver<Credentials> = ({ email, password }) => {
  const errors: FieldErrors<Credentials> = {};
  if (!looksLikeEmail(email)) errors.email = { type: 'format', message: 'auth:errors.email' };
  if (password === '') errors.password = { type: 'required', message: 'auth:errors.password' };
  return resolved({ email: email.trim(), password }, errors);
};

/** Logs in, to the tenant of the address (?tenant=), the remembered one, or the default. */
export function LoginPage({ landing }: { landing: string }) {
  const t = useTexts();
  const session = useSession();
  const location = useLocation();
  const [params] = useSearchParams();
  const named = params.get('tenant');
  // A session that is open or may be has its own tenant; the address then says nothing.
  if (named && session !== 'authenticated') nameTenant(named);
  useTitle(t('auth:login.title'));

  const shell = useFormShell({
    resolver,
    defaults: { email: '', password: '' },
    newKey,
    send: ({ email, password }) => startSession(email, password),
  });

  if (session !== 'anonymous') {
    const from = (location.state as { from?: string } | null)?.from;
    return <Navigate to={from ?? landing} replace />;
  }

  const tenant = currentTenant();
  return (
    <AuthCard
      title={t('auth:login.heading')}
      hint={tenant === 'default' ? t('auth:login.hint') : t('auth:login.tenant', { tenant })}
    >
      <FormShell shell={shell} label={t('auth:login.title')}>
        <TextField<Credentials>
          name="email"
          type="email"
          label={t('auth:login.email')}
          autoComplete="username"
          autoFocus
          size="md"
        />
        <PasswordField<Credentials>
          name="password"
          label={t('auth:login.password')}
          autoComplete="current-password"
          size="md"
          visibilityToggleButtonProps={{ 'aria-label': t('common:password.show') }}
        />
        <Button type="submit" loading={shell.sending} size="md" mt="xs" fullWidth>
          {t('auth:login.submit')}
        </Button>
        <Anchor component={Link} to="/users/password/forgot/" size="sm" ta="center">
          {t('auth:login.forgot')}
        </Anchor>
      </FormShell>
    </AuthCard>
  );
}
