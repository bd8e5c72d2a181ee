import { Button } from '@mantine/core';
import { IconCloudOff, IconRefresh, IconVersions } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { isNewerVersionThere } from '~/shared/lib/newVersion';
import { useTexts } from '~/shared/lib/texts';
import { Empty } from './Empty';

interface PartFailureProps {
  retry: () => void;
  /** It is being tried again. */
  busy: boolean;
}

/** What stands where a part of the application did not load: tried again, or with a newer version loaded as a whole. */
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
