import { Alert, Anchor, Button } from '@mantine/core';
import { IconCircleCheck, IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import type { FieldErrors, Resolver } from 'react-hook-form';
import { Link, useLocation, useSearchParams } from 'react-router';
import { newKey } from '~/api/idempotency';
import { usePasswordPolicy } from '~/api/passwordPolicy';
import { setPassword } from '~/api/session';
import { isStrong } from '~/shared/lib/password';
import { useTexts } from '~/shared/lib/texts';
import { FormShell } from '~/shared/ui/form/FormShell';
import { PasswordMatch, PasswordRules } from '~/shared/ui/form/PasswordRules';
import { PasswordField, TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { useTitle } from '~/shared/ui/useTitle';
import { AuthCard } from './AuthCard';
import { resolved } from './credentials';
import { looksLikeEmail } from './looksLikeEmail';

interface Values {
  email: string;
  code: string;
  password: string;
  repeated: string;
}

const resolver: Resolver<Values> = (values) => {
  const errors: FieldErrors<Values> = {};
  if (!looksLikeEmail(values.email)) errors.email = { type: 'format', message: 'auth:errors.email' };
  if (values.code.trim() === '') errors.code = { type: 'required', message: 'auth:errors.code' };
  if (!isStrong(values.password)) errors.password = { type: 'weak', message: 'common:password.weak' };
  if (values.repeated !== values.password)
    errors.repeated = { type: 'match', message: 'common:password.noMatch' };
  return resolved({ ...values, email: values.email.trim(), code: values.code.trim() }, errors);
};

/** Sets a password with the code of the e-mail; its link brings address and code along. */
export function ResetPage() {
  const t = useTexts();
  const location = useLocation();
  const [params] = useSearchParams();
  const asked = (location.state as { email?: string } | null)?.email;
  const [done, setDone] = useState(false);
  useTitle(t('auth:reset.title'));
  usePasswordPolicy();
  const shell = useFormShell({
    resolver,
    defaults: {
      email: asked ?? params.get('email') ?? '',
      code: params.get('code') ?? '',
      password: '',
      repeated: '',
    },
    newKey,
    send: async ({ email, code, password }, key) => {
      await setPassword(email, code, password, key);
      setDone(true);
    },
  });
  if (done) {
    return (
      <AuthCard title={t('auth:reset.title')} hint={t('auth:reset.doneHint')}>
        <Alert color="green" icon={<IconCircleCheck size={18} aria-hidden />} role="status">
          {t('common:done.passwordChanged')}
        </Alert>
        <Button component={Link} to="/" size="md" fullWidth>
          {t('auth:login.submit')}
        </Button>
      </AuthCard>
    );
  }
  return (
    <AuthCard title={t('auth:reset.title')} hint={t('auth:reset.hint')}>
      {asked && (
        <Alert icon={<IconMail size={18} aria-hidden />} role="status">
          {t('common:done.codeSent')}
        </Alert>
      )}
      <FormShell
        shell={shell}
        label={t('auth:reset.title')}
        actions={
          <>
            <Button type="submit" loading={shell.sending} size="md" mt="xs" fullWidth>
              {t('auth:reset.submit')}
            </Button>
            <Anchor component={Link} to="/users/password/forgot/" size="sm" ta="center">
              {t('auth:reset.again')}
            </Anchor>
          </>
        }
      >
        <TextField<Values>
          name="email"
          type="email"
          label={t('auth:login.email')}
          autoComplete="username"
          size="md"
        />
        <TextField<Values>
          name="code"
          label={t('auth:reset.code')}
          autoComplete="one-time-code"
          autoFocus
          size="md"
        />
        <PasswordField<Values>
          name="password"
          label={t('auth:reset.password')}
          autoComplete="new-password"
          size="md"
        />
        <PasswordRules password={shell.form.watch('password')} />
        <PasswordField<Values>
          name="repeated"
          label={t('common:password.repeat')}
          autoComplete="new-password"
          size="md"
        />
        <PasswordMatch<Values> password="password" repeated="repeated" />
      </FormShell>
    </AuthCard>
  );
}
