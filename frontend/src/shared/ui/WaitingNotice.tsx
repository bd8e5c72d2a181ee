import { Alert, Anchor, Text } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Problem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';

/** What was sent waits for another person's approval: said in place of the form, with the way to it. */
export function WaitingNotice({ problem }: { problem: Problem }) {
  const t = useTexts();
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconUserCheck size={18} aria-hidden />}
      role="alert"
      title={t('common:waiting.title')}
    >
      <Text size="sm">{t('common:waiting.hint')}</Text>
      <Anchor
        component={Link}
        to={`/approvals/?proposal=${problem.proposal ?? ''}`}
        size="sm"
        mt="sm"
        display="inline-block"
      >
        {t('common:waiting.open')}
      </Anchor>
    </Alert>
  );
}
