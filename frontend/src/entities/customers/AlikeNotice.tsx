import { Alert, Anchor, List, Text } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query';
import { IconUsers } from '@tabler/icons-react';
import { useFormContext, useWatch } from 'react-hook-form';
import { type Customer, useListRecipientsQuery, useListSendersQuery } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { useDebounced } from '~/shared/lib/useDebounced';
import { alike, type Likeness, type Person, soughtBy } from './alike';

/** Search debounce. */
const DELAY_MS = 300;
/** Maximum matches shown. */
const SHOWN = 3;
const FOUND = 10;

interface AlikeNoticeProps {
  /** Searches an owner's issuers, or an issuer's recipients. */
  kind: { type: 'sender'; ownerId?: string } | { type: 'recipient'; senderId: string | null };
  /** The customer being edited, excluded from the search. */
  except?: string;
  /** Uses the existing customer instead. */
  onUse?: (customer: Customer) => void;
}

function useFound(kind: AlikeNoticeProps['kind'], sought: string | null): Customer[] {
  const text = useDebounced(sought, DELAY_MS);
  const senders = useListSendersQuery(
    text && kind.type === 'sender'
      ? { name: text, agencyId: kind.ownerId, recordsPerPage: FOUND }
      : skipToken,
  );
  const recipients = useListRecipientsQuery(
    text && kind.type === 'recipient' && kind.senderId
      ? { name: text, senderId: kind.senderId, recordsPerPage: FOUND }
      : skipToken,
  );
  const { currentData } = kind.type === 'sender' ? senders : recipients;
  return currentData?.data ?? [];
}

/** Duplicate warning while a person is typed: same telephone, document, or name and place. */
export function AlikeNotice({ kind, except, onUse }: AlikeNoticeProps) {
  const t = useTexts();
  const { control } = useFormContext();
  const person = useWatch({ control }) as Person;
  const sought = soughtBy(person);
  const byPhone = useFound(kind, sought.phone);
  const byDocument = useFound(kind, sought.identification);
  const byName = useFound(kind, sought.name);
  const found = alike(person, [...byPhone, ...byDocument, ...byName], except).slice(0, SHOWN);
  const words = (by: Likeness[]) => by.map((one) => t(`entities:alike.${one}`)).join(', ');
  return (
    <div aria-live="polite">
      {found.length > 0 && (
        <Alert
          color="yellow"
          variant="light"
          icon={<IconUsers size={18} aria-hidden />}
          title={t('entities:alike.title')}
        >
          <List size="sm" spacing={4}>
            {found.map(({ customer, by }) => (
              <List.Item key={customer.id}>
                <Text span size="sm" fw={600}>
                  {customer.fullName}
                </Text>
                {customer.phoneNumber && ` · ${customer.phoneNumber}`}
                {` · ${words(by)}`}
                {onUse && customer.isActive && (
                  <Anchor component="button" type="button" ms={8} size="sm" onClick={() => onUse(customer)}>
                    {t('entities:alike.use')}
                  </Anchor>
                )}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </div>
  );
}
