import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { useTexts } from '~/shared/lib/texts';
import { Confirm } from '../Confirm';

/** Asks before a page with unsaved changes is left, by link, back button or closing the tab. */
export function UnsavedGuard({ unsaved }: { unsaved: boolean }) {
  const t = useTexts();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [unsaved]);

  return (
    <Confirm
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
