import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Brand } from '~/shared/ui/Brand';
import { LanguageToggle } from '~/shared/ui/LanguageToggle';
import classes from './AuthCard.module.css';

interface AuthCardProps {
  title: string;
  hint: string;
  children: ReactNode;
}

/** The card in the middle of the pages that need no login. */
export function AuthCard({ title, hint, children }: AuthCardProps) {
  return (
    <div className={classes.page}>
      <Group justify="flex-end" p="xs">
        <LanguageToggle />
      </Group>
      <Center component="main" className={classes.center}>
        <Paper withBorder className={classes.card}>
          <Stack gap="lg">
            <Brand size={36} />
            <div>
              <Title order={1} size="h2">
                {title}
              </Title>
              <Text c="dimmed" size="sm" mt={2}>
                {hint}
              </Text>
            </div>
            {children}
          </Stack>
        </Paper>
      </Center>
    </div>
  );
}
