import { Button } from '@mantine/core';
import { IconCloudOff, IconRefresh, IconVersions } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { isNewerVersionThere } from '~/shared/lib/newVersion';
import { useTexts } from '~/shared/lib/texts';
import { Empty } from './Empty';

interface PartFailureProps {
  retry: () => void;
  /** A retry is in progress. */
  busy: boolean;
}

/**
 * Error state of a part of the application that did not load: retries it, or reloads the application in a
 * newer version.
 */
export function PartFailure({ retry, busy }: PartFailureProps) {
  const t = useTexts();
  const [newer, setNewer] = useState(false);
  useEffect(() => {
    let gone = false;
    if (!busy) void isNewerVersionThere().then((there) => !gone && setNewer(there));
    return () => {
      gone = true;
    };
  }, [busy]);

  return (
    <div role="alert">
      {newer ? (
        <Empty icon={IconVersions} title={t('common:part.newer')} hint={t('common:part.newerHint')}>
          <Button
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => window.location.reload()}
          >
            {t('common:crash.reload')}
          </Button>
        </Empty>
      ) : (
        <Empty icon={IconCloudOff} title={t('common:part.failed')} hint={t('common:part.hint')}>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={busy}
            onClick={retry}
          >
            {t('common:failure.retry')}
          </Button>
        </Empty>
      )}
    </div>
  );
}
