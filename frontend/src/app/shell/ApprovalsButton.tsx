import { ActionIcon, Indicator } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { may, useListProposalsQuery, useProfile } from '~/api';
import { useTexts } from '~/shared/lib/texts';

/** Larger counts show as "99+". */
const MOST_SHOWN = 99;

/** The way to the proposals that the reader may decide, with their number; absent while there is none. */
export function ApprovalsButton() {
  const t = useTexts();
  const { role } = useProfile();
  const { data } = useListProposalsQuery(
    { mayDecide: true, recordsPerPage: 1 },
    { skip: !may.listProposals.includes(role) },
  );
  const count = data?.totalRecords ?? 0;
  if (count === 0) return null;
  return (
    <Indicator label={count > MOST_SHOWN ? `${MOST_SHOWN}+` : count} size={17} offset={6} color="red.8">
      <ActionIcon
        component={Link}
        to="/approvals/"
        variant="subtle"
        color="gray"
        size={40}
        aria-label={t('entities:waiting.count', { count })}
      >
        <IconUserCheck size={20} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Indicator>
  );
}
