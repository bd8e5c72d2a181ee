import { Stack, Text, ThemeIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyProps {
  icon: Icon;
  title: string;
  /** The title is the page's own heading. */
  heading?: boolean;
  hint?: string;
  children?: ReactNode;
}

/** Empty state: its reason, and what the reader can do. */
export function Empty({ icon: Sign, title, heading, hint, children }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <ThemeIcon size={52} radius="xl" variant="light" color="gray">
        <Sign size={26} stroke={1.5} aria-hidden />
      </ThemeIcon>
      <Text fw={600} component={heading ? 'h1' : 'p'} m={0}>
        {title}
      </Text>
      {hint && (
        <Text size="sm" c="dimmed" maw={420}>
          {hint}
        </Text>
      )}
      {children}
    </Stack>
  );
}
