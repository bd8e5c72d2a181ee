import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type Customer, useProfile } from '~/api';
import { formatCalendarDate, todayIn } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';

/** Says that a customer's document is expired: a new one is to be asked for. */
export function DocumentExpiry({ customer }: { customer: Customer }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const expires = customer.personalIdentificationExpirationDate;
  if (!expires || expires >= todayIn(timeZone)) return null;
  return (
    <Text size="sm" fw={600} role="status">
      <IconAlertTriangle size={16} aria-hidden style={{ verticalAlign: 'text-bottom', marginRight: 4 }} />
      {t('entities:identification.expired', { day: formatCalendarDate(expires, locale) })}
    </Text>
  );
}
