import { Paper, Title } from '@mantine/core';
import type { ReactNode, Ref } from 'react';

interface SectionProps {
  title: string;
  children: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** One step of a long form. */
export function Section({ title, children, ref }: SectionProps) {
  return (
    <Paper ref={ref} withBorder p={{ base: 'sm', sm: 'md' }} component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
