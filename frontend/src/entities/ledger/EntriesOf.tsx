import { Skeleton, Stack } from '@mantine/core';
import { useListEntriesQuery } from '~/api';
import { asProblem } from '~/shared/lib/problem';
import { Failure } from '~/shared/ui/Failure';
import { Entry } from './Entry';

interface EntriesOfProps {
  cause: string;
  /** Those through the event at this position; all where absent. */
  through?: number;
}

/** The entries that a remittance, a movement or a closure made, the first one first. */
export function EntriesOf({ cause, through }: EntriesOfProps) {
  const query = useListEntriesQuery({ cause, position: through, sort: 'created', recordsPerPage: 0 });
  if (query.error && !query.currentData) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  if (!query.currentData) return <Skeleton height={72} />;
  return (
    <Stack gap="lg">
      {query.currentData.data.map((entry) => (
        <Entry key={entry.position} entry={entry} />
      ))}
    </Stack>
  );
}
