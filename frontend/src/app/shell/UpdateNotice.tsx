import { Button, Text } from '@mantine/core';
import { IconVersions } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { isNewerVersionThere } from '~/shared/lib/newVersion';
import { useTexts } from '~/shared/lib/texts';
import { isQuiet } from '~/shared/lib/unsaved';
import classes from './UpdateNotice.module.css';

/** Poll interval of the server's version; returning to the page polls too, at most at the second interval. */
const ASK_EVERY_MS = 10 * 60_000;
const ASK_AGAIN_MS = 60_000;
/** Time hidden after which a page may reload. */
const OUT_OF_SIGHT_MS = 30_000;

/** Loads the new version if it is still available and nothing would be lost. */
async function loadQuietly(): Promise<void> {
  // Checked again: without the server the page would not load.
  if (isQuiet() && (await isNewerVersionThere()) && isQuiet()) window.location.reload();
}

/**
 * Announces a new version, and loads it when the reader changes the screen or the page is hidden, with nothing unsaved.
 */
export function UpdateNotice() {
  const t = useTexts();
  const [newer, setNewer] = useState(false);
  const asked = useRef(Date.now());
  const { pathname } = useLocation();
  const last = useRef(pathname);

  useEffect(() => {
    if (newer) return;
    const ask = async () => {
      asked.current = Date.now();
      if (await isNewerVersionThere()) setNewer(true);
    };
    const whenSeen = () => {
      if (document.visibilityState === 'visible' && Date.now() - asked.current > ASK_AGAIN_MS) void ask();
    };
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    document.addEventListener('visibilitychange', whenSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', whenSeen);
    };
  }, [newer]);

  useEffect(() => {
    if (!newer) return;
    let timer = 0;
    const whenHidden = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'hidden')
        timer = window.setTimeout(() => void loadQuietly(), OUT_OF_SIGHT_MS);
    };
    document.addEventListener('visibilitychange', whenHidden);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', whenHidden);
    };
  }, [newer]);

  useEffect(() => {
    if (newer && last.current !== pathname) void loadQuietly();
    last.current = pathname;
  }, [newer, pathname]);

  // The live region exists before its content: screen readers announce changes only.
  return (
    <div role="status">
      {newer && (
        <div className={classes.notice}>
          <IconVersions size={20} aria-hidden />
          <Text size="sm">{t('common:update.there')}</Text>
          <Button variant="default" mih={44} onClick={() => window.location.reload()}>
            {t('common:update.now')}
          </Button>
        </div>
      )}
    </div>
  );
}
