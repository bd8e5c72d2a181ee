import { Stack } from '@mantine/core';
import { useProfile } from '~/api';
import { AttentionPanel } from './AttentionPanel';
import { Greeting } from './Greeting';

/** Areas of what needs attention. */
const TOLD = ['sales', 'payments', 'compliance'] as const;

/** The home of a member of the office who does not see the figures of the business. */
export function OfficeHome() {
  const { office } = useProfile();
  const sees = TOLD.some((area) => office?.reads.includes(area));
  return (
    <Stack gap="md">
      <Greeting />
      {sees && <AttentionPanel />}
    </Stack>
  );
}
