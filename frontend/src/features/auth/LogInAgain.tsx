import './LogInAgain.css';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { api, useProfile } from '~/api';
import { giveUpPage, heldFor } from '~/api/heldPage';
import { EVERYTHING } from '~/api/invalidation';
import { HINT, lastSessionEnd, refreshSession, sessionState } from '~/api/session';
import { hasPasskeys } from '~/shared/lib/passkeys';
import { useTexts } from '~/shared/lib/texts';
import { Dialog } from '~/shared/ui/Dialog';
import { LoginForm } from './LoginPage';
import { PasskeyButton } from './PasskeyButton';
import { SignOnOffer } from './SignOnOffer';

/** The page is given up after this time: nobody comes back to it. */
const LONGEST_MS = 8 * 60 * 60_000;

/** A page's passwords are not kept while it stays. The native setter and the event tell React, as a key does. */
function clearPasswords(): void {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  for (const input of document.querySelectorAll('input[type=password], input[autocomplete$=password]')) {
    set?.call(input, '');
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/**
 * Asks the owner of a page that stays after its session to log in again, and hides the page meanwhile. It is no step of the
 * history: Back is answered by the page's own question about unsaved changes, after the login.
 */
export function LogInAgain() {
  const t = useTexts();
  const { email } = useProfile();
  const dispatch = useDispatch();
  const [end] = useState(lastSessionEnd);

  useEffect(() => {
    clearPasswords();
    const timer = setTimeout(giveUpPage, LONGEST_MS);
    /** Of a login in another tab, whose cookie is this tab's too. */
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key !== HINT || !newValue?.includes('/')) return;
      if (newValue === heldFor()) void refreshSession();
      else giveUpPage();
    };
    window.addEventListener('storage', follow);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('storage', follow);
      const isBack = !heldFor() && sessionState() === 'authenticated';
      if (isBack) dispatch(api.util.invalidateTags(EVERYTHING));
    };
  }, [dispatch]);

  return (
    <Dialog
      step={false}
      opened
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={giveUpPage}
      title={t('account:again.title')}
      portalProps={{ reuseTargetNode: false, id: 'log-in-again' }}
      overlayProps={{ color: 'var(--mantine-color-body)', backgroundOpacity: 1 }}
    >
      <Stack gap="sm">
        {end && <Text size="sm">{t(`account:ended.${end.why}`)}</Text>}
        <Text size="sm">{t('account:again.hint')}</Text>
        <LoginForm
          only={email}
          below={
            <>
              <SignOnOffer>{({ passkeys }) => passkeys && hasPasskeys() && <PasskeyButton />}</SignOnOffer>
              <Anchor href="/" target="_blank" size="sm" ta="center">
                {t('account:again.otherWay')}
              </Anchor>
            </>
          }
        />
        <Button variant="subtle" color="gray" mih={44} onClick={giveUpPage}>
          {t('common:unsaved.leave')}
        </Button>
      </Stack>
    </Dialog>
  );
}
