import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { isClosingDialog } from '~/shared/lib/historyStep';
import { useTexts } from '~/shared/lib/texts';
import { noteUnsaved } from '~/shared/lib/unsaved';
import { Confirm } from '../Confirm';

interface UnsavedGuardProps {
  unsaved: boolean;
  /**
   * The changes are in a dialog, which closes on any step back, also within the screen. The dialog's close
   * button asks by itself.
   */
  inDialog?: boolean;
}

/** Asks before unsaved changes are left by link, back button or closing the tab. */
export function UnsavedGuard({ unsaved, inDialog = false }: UnsavedGuardProps) {
  const t = useTexts();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      unsaved &&
      !isClosingDialog() &&
      (inDialog ? historyAction === 'POP' : currentLocation.pathname !== nextLocation.pathname),
  );

  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    const settle = noteUnsaved();
    window.addEventListener('beforeunload', warn);
    return () => {
      settle();
      window.removeEventListener('beforeunload', warn);
    };
  }, [unsaved]);

  return (
    <Confirm
      step={false}
      opened={blocker.state === 'blocked'}
      title={t('common:unsaved.title')}
      facts={[]}
      danger
      confirmLabel={t('common:unsaved.leave')}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {t('common:unsaved.message')}
    </Confirm>
  );
}
