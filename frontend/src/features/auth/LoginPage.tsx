import { Button, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { FieldErrors, Resolver, ResolverResult } from 'react-hook-form';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import { newKey } from '~/api/idempotency';
import { startSession } from '~/api/session';
import { chooseTenant, currentTenant } from '~/api/tenant';
import { useSession } from '~/api/useSession';
import { useTexts } from '~/shared/lib/texts';
import { Brand } from '~/shared/ui/Brand';
import { FormShell } from '~/shared/ui/form/FormShell';
import { PasswordField, TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { LanguageToggle } from '~/shared/ui/LanguageToggle';
import { useTitle } from '~/shared/ui/useTitle';
import classes from './LoginPage.module.css';

interface Credentials {
  email: string;
  password: string;
}

/** By hand and not by schema: a first visit waits for this page's weight, and the server decides anyway. */
const resolver: Resolver<Credentials> = ({ email, password }): ResolverResult<Credentials> => {
  const errors: FieldErrors<Credentials> = {};
  const address = email.trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) errors.email = { type: 'format', message: 'auth:errors.email' };
  if (password === '') errors.password = { type: 'required', message: 'auth:errors.password' };
  return Object.keys(errors).length > 0
    ? { values: {}, errors }
    : { values: { email: address, password }, errors: {} };
};

/** Logs in, to the tenant of the address (?tenant=), the remembered one, or the default. */
export function LoginPage({ landing }: { landing: string }) {
  const t = useTexts();
  const session = useSession();
  const location = useLocation();
  const [params] = useSearchParams();
  const named = params.get('tenant');
  if (named) chooseTenant(named);
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
    <div className={classes.page}>
      <Group justify="flex-end" p="xs">
        <LanguageToggle />
      </Group>
      <Center component="main" className={classes.center}>
        <Paper withBorder className={classes.card}>
          <Stack gap="lg">
            <Brand size={36} />
            <div>
              <Title order={1} size="h2">
                {t('auth:login.heading')}
              </Title>
              <Text c="dimmed" size="sm" mt={2}>
                {tenant === 'default' ? t('auth:login.hint') : t('auth:login.tenant', { tenant })}
              </Text>
            </div>
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
                visibilityToggleButtonProps={{ 'aria-label': t('auth:login.showPassword') }}
              />
              <Button type="submit" loading={shell.sending} size="md" mt="xs" fullWidth>
                {t('auth:login.submit')}
              </Button>
            </FormShell>
          </Stack>
        </Paper>
      </Center>
    </div>
  );
}
