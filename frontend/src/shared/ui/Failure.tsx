import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCloudOff, IconRefresh } from '@tabler/icons-react';
import type { Problem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { Empty } from './Empty';
import { problemText } from './problemText';

interface FailureProps {
  problem: Problem;
  retry: () => void;
}

/** Error state of a failed read, with a retry button. */
export function Failure({ problem, retry }: FailureProps) {
  const t = useTexts();
  const lost = problem.status === 0;
  return (
    <div role="alert">
      <Empty
        icon={lost ? IconCloudOff : IconAlertTriangle}
        title={t('common:failure.title')}
        hint={problemText(t, problem)}
      >
        <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={retry} mt="xs">
          {t('common:failure.retry')}
        </Button>
      </Empty>
    </div>
  );
}
