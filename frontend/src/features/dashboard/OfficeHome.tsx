import { Stack } from '@mantine/core';
import { useProfile } from '~/api';
import { AttentionPanel } from './AttentionPanel';
import { Greeting } from './Greeting';

/** The home of a member of the office who does not see the figures of the business. */
export function OfficeHome() {
  const { office } = useProfile();
  const sees = office?.reads.includes('sales') || office?.reads.includes('payments');
  return (
    <Stack gap="md">
      <Greeting />
      {sees && <AttentionPanel />}
    </Stack>
  );
}
