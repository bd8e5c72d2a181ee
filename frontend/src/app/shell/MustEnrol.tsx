import { Button } from '@mantine/core';
import { useState } from 'react';
import { endSession, requireEnrolment } from '~/api/session';
import { EnrolSteps } from '~/features/account/EnrolSteps';
import { PasskeySteps } from '~/features/account/PasskeySteps';
import { AuthCard } from '~/features/auth/AuthCard';
import { hasPasskeys } from '~/shared/lib/passkeys';
import { useTexts } from '~/shared/lib/texts';
import { useTitle } from '~/shared/ui/useTitle';

/** In place of everything else: the reader's role needs a second factor, and the reader has none. */
export function MustEnrol() {
  const t = useTexts();
  const [byPasskey, setByPasskey] = useState(false);
  const done = () => requireEnrolment(false);
  useTitle(t('account:enrol.title'));
  return (
    <AuthCard title={t('account:enrol.title')} hint={t('account:enrol.must')}>
      {byPasskey ? <PasskeySteps onDone={done} /> : <EnrolSteps onDone={done} />}
      {hasPasskeys() && (
        <Button variant="default" mih={44} onClick={() => setByPasskey(!byPasskey)}>
          {t(byPasskey ? 'account:passkeys.byApp' : 'account:passkeys.instead')}
        </Button>
      )}
      <Button variant="subtle" color="gray" mih={44} onClick={() => void endSession()}>
        {t('common:user.logout')}
      </Button>
    </AuthCard>
  );
}
