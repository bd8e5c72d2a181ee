import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useTexts } from '~/shared/lib/texts';
import { Empty } from '~/shared/ui/Empty';
import { useTitle } from '~/shared/ui/useTitle';
import { LANDING } from './landing';

/** Page for unknown addresses. */
export function NotFoundPage() {
  const t = useTexts();
  useTitle(t('common:notFound.title'));
  return (
    <Empty heading icon={IconMapQuestion} title={t('common:notFound.title')} hint={t('common:notFound.hint')}>
      <Button component={Link} to={LANDING} mt="xs">
        {t('common:notFound.back')}
      </Button>
    </Empty>
  );
}
