import { Group, Text } from '@mantine/core';

/** The picture that the page has already, as its icon. */
const MARK = '/favicon.svg';

/** The product's mark and name. */
export function Brand({ size = 28 }: { size?: number }) {
  return (
    <Group gap={10} wrap="nowrap">
      <img src={MARK} width={size} height={size} alt="" />
      <Text fw={700} fz={size * 0.72} lh={1} style={{ letterSpacing: '-0.01em' }}>
        Caudal
      </Text>
    </Group>
  );
}
