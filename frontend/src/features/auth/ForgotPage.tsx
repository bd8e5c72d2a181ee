import { Anchor, Button } from '@mantine/core';
import type { FieldErrors, Resolver } from 'react-hook-form';
import { Link, useNavigate } from 'react-router';
import { newKey } from '~/api/idempotency';
import { askForCode } from '~/api/session';
import { useTexts } from '~/shared/lib/texts';
import { FormShell } from '~/shared/ui/form/FormShell';
import { TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { useTitle } from '~/shared/ui/useTitle';
import { AuthCard } from './AuthCard';
import { resolved } from './credentials';
import { looksLikeEmail } from './looksLikeEmail';

interface Values {
  email: string;
}

const resolver: Resolver<Values> = ({ email }) => {
  const errors: FieldErrors<Values> = {};
  if (!looksLikeEmail(email)) errors.email = { type: 'format', message: 'auth:errors.email' };
  return resolved({ email: email.trim() }, errors);
};

/** Asks for a code by e-mail. Whether the address is known is never said. */
export function ForgotPage() {
  const t = useTexts();
  const navigate = useNavigate();
  useTitle(t('auth:forgot.title'));
  const shell = useFormShell({
    resolver,
    defaults: { email: '' },
    newKey,
    send: async ({ email }, key) => {
      await askForCode(email, key);
      void navigate('/users/password/reset/', { state: { email } });
    },
  });
  return (
    <AuthCard title={t('auth:forgot.title')} hint={t('auth:forgot.hint')}>
      <FormShell
        shell={shell}
        label={t('auth:forgot.title')}
        actions={
          <>
            <Button type="submit" loading={shell.sending} size="md" mt="xs" fullWidth>
              {t('auth:forgot.submit')}
            </Button>
            <Anchor component={Link} to="/" size="sm" ta="center">
              {t('auth:forgot.back')}
            </Anchor>
          </>
        }
      >
        <TextField<Values>
          name="email"
          type="email"
          label={t('auth:login.email')}
          autoComplete="username"
          autoFocus
          size="md"
        />
      </FormShell>
    </AuthCard>
  );
}
