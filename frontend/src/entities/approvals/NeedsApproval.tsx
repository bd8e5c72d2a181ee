import { Alert } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import type { NeededApproval } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { whichRuleAsks } from '.';

/** Which rule makes wait what is about to be sent. */
export function NeedsApproval({ approval }: { approval: NeededApproval | null }) {
  const t = useTexts();
  if (!approval) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconUserCheck size={18} aria-hidden />} role="status">
      {whichRuleAsks(t, approval)}
    </Alert>
  );
}
