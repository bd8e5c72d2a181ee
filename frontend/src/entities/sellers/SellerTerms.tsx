import { Button, Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type ProfilePaymentGroup,
  type TermsInput,
  underKey,
  useSetAgencyTermsMutation,
  useSetAgentTermsMutation,
} from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useToast } from '~/shared/ui/toasts/toasts';
import { TermsDialog } from './TermsDialog';
import { type TermsRow, TermsTable } from './TermsTable';
import { type OfferedGroup, type SellerKind, termsBody, termsValues } from './termsForm';
import { useOfferedGroups } from './useOfferedGroups';

interface SellerTermsProps {
  kind: SellerKind;
  seller: { id: string; name: string; agencyId?: string | null; paymentGroups: ProfilePaymentGroup[] };
  /** Whether the reader may change them. */
  editable: boolean;
}

/** A kept term as a row. */
function termsRow(kind: SellerKind, terms: ProfilePaymentGroup): TermsRow {
  return {
    paymentGroupId: terms.paymentGroupId ?? terms.currencyTo,
    name: terms.groupName,
    currencyTo: terms.currencyTo,
    exchangeRate: terms.exchangeRate,
    commission: kind === 'agency' ? terms.agencyCommission : terms.agentCommission,
    creditLimit: terms.creditLimit,
    balance: terms.amount,
    isActive: terms.isActive,
  };
}

/** A present seller's terms; each change is saved by itself. */
export function SellerTerms({ kind, seller, editable }: SellerTermsProps) {
  const t = useTexts();
  const toast = useToast();
  const [setAgency] = useSetAgencyTermsMutation();
  const [setAgent] = useSetAgentTermsMutation();
  /** The group whose terms are edited; `add` for terms of another one. */
  const [editing, setEditing] = useState<string | null>(null);
  const held = seller.paymentGroups.map(({ paymentGroupId }) => paymentGroupId ?? '');
  const offered = useOfferedGroups(kind, seller.agencyId ?? null, !editable).filter(
    ({ id }) => !held.includes(id),
  );
  const terms = seller.paymentGroups.find(({ paymentGroupId }) => paymentGroupId === editing) ?? null;

  const send = async (body: TermsInput, key: string) => {
    const call = { id: seller.id, termsInput: underKey(body, key) };
    await (kind === 'agency' ? setAgency(call) : setAgent(call)).unwrap();
  };

  return (
    <Stack gap="sm">
      <TermsTable
        rows={seller.paymentGroups.map((one) => termsRow(kind, one))}
        onEdit={editable ? (row) => setEditing(row.paymentGroupId) : undefined}
        emptyHint={editable ? t('entities:terms.noneHint') : undefined}
      />
      {editable && offered.length > 0 && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setEditing('add')}
          >
            {t('entities:terms.add')}
          </Button>
        </Group>
      )}
      {editing && (
        <EditTerms
          key={editing}
          kind={kind}
          seller={seller}
          terms={terms}
          offered={offered}
          send={async (body, key) => {
            await send(body, key);
            toast('good', t('entities:terms.saved'));
          }}
          onClose={() => setEditing(null)}
        />
      )}
    </Stack>
  );
}

interface EditTermsProps {
  kind: SellerKind;
  seller: { id: string; name: string };
  /** Null where terms for another group are added. */
  terms: ProfilePaymentGroup | null;
  offered: OfferedGroup[];
  send: (body: TermsInput, key: string) => Promise<void>;
  onClose: () => void;
}

/** Terms that are added, or changed with what they were changed from. */
function EditTerms({ kind, seller, terms, offered, send, onClose }: EditTermsProps) {
  const t = useTexts();
  const read = termsValues(kind, terms);
  const edits = useChanges(() => termsBody(kind, read));
  return (
    <TermsDialog
      title={
        terms
          ? t('entities:terms.editOf', { group: terms.groupName, name: seller.name })
          : t('entities:terms.addTo', { name: seller.name })
      }
      defaults={read}
      offered={terms ? null : offered}
      currency={terms?.currencyTo ?? null}
      send={async (values, key) => {
        const body = termsBody(kind, values);
        if (terms === null) await send(body, key);
        else {
          const { paymentGroupId } = body;
          await edits.send(edits.changed(body), (changes) => send({ ...changes, paymentGroupId }, key));
        }
      }}
      write={(values) => ({
        url: `/api/${kind}/exchange_rate/${seller.id}`,
        method: 'PUT',
        body: terms
          ? { ...edits.changed(termsBody(kind, values)), paymentGroupId: terms.paymentGroupId, was: {} }
          : termsBody(kind, values),
      })}
      onClose={onClose}
    />
  );
}
