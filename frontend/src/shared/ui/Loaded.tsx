import { Paper, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { asProblem } from '~/shared/lib/problem';
import { Failure } from './Failure';

interface LoadedProps<T> {
  query: { currentData?: T; error?: unknown; refetch: () => unknown };
  children: (data: T) => ReactNode;
}

/** A single record: placeholders while it loads, a retry button when that fails. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  if (query.currentData !== undefined) return children(query.currentData);
  return (
    <Paper withBorder p="lg" maw={860} aria-busy={!query.error}>
      {query.error ? (
        <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />
      ) : (
        <Stack>
          <Skeleton height={20} width="40%" />
          <Skeleton height={36} />
          <Skeleton height={36} />
          <Skeleton height={36} width="70%" />
        </Stack>
      )}
    </Paper>
  );
}
