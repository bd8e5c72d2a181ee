import { Button } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useTexts } from '~/shared/lib/texts';
import { Empty } from '~/shared/ui/Empty';

/** Error boundary of a screen that failed or whose chunk did not load; the rest of the page keeps working. */
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
