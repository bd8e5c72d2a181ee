import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useTexts } from '~/shared/lib/texts';

/** Whether something may be used: a tick or a cross, said in words too. */
export function ActiveMark({ active }: { active: boolean }) {
  const t = useTexts();
  const Sign = active ? IconCircleCheck : IconCircleX;
  return (
    <Sign
      size={20}
      stroke={1.8}
      role="img"
      aria-label={active ? t('entities:active.yes') : t('entities:active.no')}
      color={active ? 'var(--caudal-good-text)' : 'var(--mantine-color-dimmed)'}
      style={{ display: 'block' }}
    />
  );
}
