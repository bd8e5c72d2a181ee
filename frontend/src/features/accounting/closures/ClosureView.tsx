import { Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type Closure, useGetClosureQuery } from '~/api';
import { AuditLink } from '~/entities/ledger/audit';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Dialog } from '~/shared/ui/Dialog';
import { Loaded } from '~/shared/ui/Loaded';
import { periodText } from './columns';
import { Figures } from './Figures';
import { StatementButton } from './StatementButton';
import { useReader } from './useReader';

/** A closure's frozen figures and its statement. */
export function ClosureView({ closure }: { closure: Closure }) {
  return (
    <Stack gap="md">
      <Group>
        <StatementButton closure={closure} />
        <AuditLink kind="closure" id={closure.id} />
      </Group>
      <Figures figures={closure.figures} />
    </Stack>
  );
}

/** One closure in a dialog, as a link opens it. */
export function ClosureModal({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts();
  const reader = useReader();
  const phone = useMediaQuery(PHONE);
  const query = useGetClosureQuery({ id });
  const closure = query.currentData;
  return (
    <Dialog
      opened
      onClose={onClose}
      size={960}
      fullScreen={phone}
      title={
        closure
          ? `${closure.number} · ${closure.party.name ?? t('entities:erased')}`
          : t('accounting:closures.one')
      }
    >
      <Loaded query={query}>
        {(found) => (
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {periodText(reader, found)}
            </Text>
            <ClosureView closure={found} />
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}
