import { Group, Text } from '@mantine/core';

/** The page's favicon, which is loaded already. */
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
