import { Alert, Anchor, Text } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { type ProposedReview, useProfile } from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';

/** A decision or releases that are proposed and wait for an approval: by whom, since when, and the way to each. */
export function Proposed({ reviews }: { reviews: ProposedReview[] }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  if (reviews.length === 0) return null;
  const time = (at: string) => formatDateTime(at, locale, timeZone);
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconUserCheck size={18} aria-hidden />}
      my="xs"
      role="status"
    >
      {reviews.map(({ id, by, at, expiresAt, remittance }) => (
        <Text key={id} size="sm">
          {t(remittance ? 'screening:proposed.release' : 'screening:proposed.decision', {
            who: by.name ?? t('entities:erased'),
            at: time(at),
            until: time(expiresAt),
            code: remittance?.name ?? '',
          })}{' '}
          <Anchor component={Link} to={`/approvals/?proposal=${id}`} size="sm">
            {t('screening:proposed.open')}
          </Anchor>
        </Text>
      ))}
    </Alert>
  );
}
