import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { type Customer, useListRecipientsQuery, useListSendersQuery } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { useDebounced } from '~/shared/lib/useDebounced';
import { useFieldText } from '~/shared/ui/form/useFieldText';
import { CustomerPicker } from './CustomerPicker';
import type { NewCustomerValues } from './customerSchema';
import { NewCustomer } from './NewCustomer';
import type { RemittanceValues } from './schema';

/** As many as fit under a search box without scrolling. */
const FOUND = 8;
/** Long enough not to search at every letter, short enough to feel immediate. */
const SEARCH_DELAY_MS = 200;

interface Begun {
  /** A new one who was being entered. */
  begun: NewCustomerValues | null | undefined;
  onBegun: (values: NewCustomerValues | null) => void;
}

interface SenderProps extends Begun {
  ownerId: string | undefined;
  chosen: Customer | null;
  onChoose: (customer: Customer | null) => void;
}

/** Finds or makes the sender. */
export function SenderPicker({ ownerId, chosen, onChoose, begun, onBegun }: SenderProps) {
  const t = useTexts();
  const { formState } = useFormContext<RemittanceValues>();
  const [text, setText] = useState('');
  const sought = useDebounced(text.trim(), SEARCH_DELAY_MS);
  const { data, isFetching } = useListSendersQuery({
    name: sought || undefined,
    agencyId: ownerId,
    recordsPerPage: FOUND,
    sort: sought ? undefined : '-created',
  });
  return (
    <CustomerPicker
      label={t('remittances:new.findSender')}
      newLabel={t('remittances:new.newSender')}
      error={useFieldText(formState.errors.senderId?.message)}
      chosen={chosen}
      onChoose={onChoose}
      text={text}
      onText={setText}
      customers={data?.data ?? []}
      stale={isFetching || sought !== text.trim()}
      offersFirst={false}
      begun={Boolean(begun)}
      creation={(typed, done, cancel) => (
        <NewCustomer
          typed={typed}
          kind={{ type: 'sender', ownerId }}
          begun={begun}
          onBegun={onBegun}
          onMade={done}
          onCancel={cancel}
        />
      )}
    />
  );
}

interface RecipientProps extends Begun {
  senderId: string;
  home: boolean;
  chosen: Customer | null;
  onChoose: (customer: Customer | null) => void;
}

/** Finds or makes a recipient of the sender. */
export function RecipientPicker({ senderId, home, chosen, onChoose, begun, onBegun }: RecipientProps) {
  const t = useTexts();
  const { formState } = useFormContext<RemittanceValues>();
  const [text, setText] = useState('');
  const sought = useDebounced(text.trim(), SEARCH_DELAY_MS);
  const { data, isFetching } = useListRecipientsQuery({
    name: sought || undefined,
    senderId,
    recordsPerPage: FOUND,
  });
  return (
    <CustomerPicker
      label={t('remittances:new.findRecipient')}
      newLabel={t('remittances:new.newRecipient')}
      error={useFieldText(formState.errors.recipientId?.message)}
      chosen={chosen}
      onChoose={onChoose}
      text={text}
      onText={setText}
      customers={data?.data ?? []}
      stale={isFetching || sought !== text.trim()}
      offersFirst
      begun={Boolean(begun)}
      creation={(typed, done, cancel) => (
        <NewCustomer
          typed={typed}
          kind={{ type: 'recipient', senderId, home }}
          begun={begun}
          onBegun={onBegun}
          onMade={done}
          onCancel={cancel}
        />
      )}
    />
  );
}
