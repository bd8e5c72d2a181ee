import { Button } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useTexts } from '~/shared/lib/texts';
import { Empty } from '~/shared/ui/Empty';

/** What stands where a screen broke or its chunk never came; the rest of the page goes on working. */
export function RouteFailure() {
  const t = useTexts();
  return (
    <div role="alert">
      <Empty icon={IconAlertTriangle} title={t('common:crash.title')} hint={t('common:crash.hint')}>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => window.location.reload()}
        >
          {t('common:crash.reload')}
        </Button>
      </Empty>
    </div>
  );
}
