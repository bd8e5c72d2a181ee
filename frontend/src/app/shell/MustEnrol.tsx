import { Button } from '@mantine/core';
import { endSession, requireEnrolment } from '~/api/session';
import { EnrolSteps } from '~/features/account/EnrolSteps';
import { AuthCard } from '~/features/auth/AuthCard';
import { useTexts } from '~/shared/lib/texts';
import { useTitle } from '~/shared/ui/useTitle';

/** In place of everything else: the reader's role needs a second factor, and the reader has none. */
export function MustEnrol() {
  const t = useTexts();
  useTitle(t('account:enrol.title'));
  return (
    <AuthCard title={t('account:enrol.title')} hint={t('account:enrol.must')}>
      <EnrolSteps onDone={() => requireEnrolment(false)} />
      <Button variant="subtle" color="gray" mih={44} onClick={() => void endSession()}>
        {t('common:user.logout')}
      </Button>
    </AuthCard>
  );
}
