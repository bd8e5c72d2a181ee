import { IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import type { Standing as How } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { StatusBadge } from '~/shared/ui/StatusBadge';

/** How a checkpoint stands against the log as it is. */
export function Standing({ standing }: { standing: How }) {
  const t = useTexts();
  return (
    <StatusBadge
      tone={standing === 'holds' ? 'good' : 'bad'}
      icon={standing === 'holds' ? IconShieldCheck : IconShieldX}
      label={t(`audit:checkpoints.standings.${standing}`)}
    />
  );
}
