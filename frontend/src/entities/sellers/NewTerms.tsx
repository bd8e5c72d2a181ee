import { Button, Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '~/shared/lib/texts';
import { commissionBody } from './commission';
import { TermsDialog } from './TermsDialog';
import { type TermsRow, TermsTable } from './TermsTable';
import { type SellerKind, type TermsValues, termsValues } from './termsForm';
import { useOfferedGroups } from './useOfferedGroups';

interface NewTermsProps {
  kind: SellerKind;
  agencyId: string | null;
  value: TermsValues[];
  onChange: (terms: TermsValues[]) => void;
}

/** The terms that a seller is made with: gathered here, sent with the seller. */
export function NewTerms({ kind, agencyId, value, onChange }: NewTermsProps) {
  const t = useTexts();
  const offered = useOfferedGroups(kind, agencyId);
  const [editing, setEditing] = useState<string | null>(null);
  const free = offered.filter(({ id }) => !value.some(({ paymentGroupId }) => paymentGroupId === id));
  const current = value.find(({ paymentGroupId }) => paymentGroupId === editing) ?? null;
  const group = (id: string | null) => offered.find((one) => one.id === id);

  const rows: TermsRow[] = value.map((terms) => ({
    paymentGroupId: terms.paymentGroupId ?? '',
    name: terms.name || (group(terms.paymentGroupId)?.name ?? ''),
    currencyTo: group(terms.paymentGroupId)?.currencyTo ?? '',
    exchangeRate: terms.exchangeRate,
    commission: {
      rate: terms.commission.rate,
      utilityType: commissionBody(terms.commission).utilityType,
      minimalAmount: terms.commission.minimalAmount || null,
      utilityValue: terms.commission.utilityValue || null,
    },
    creditLimit: terms.creditLimit || '0',
    balance: null,
    isActive: terms.isActive,
  }));

  const keep = async (terms: TermsValues) => {
    onChange(
      current
        ? value.map((one) => (one.paymentGroupId === current.paymentGroupId ? terms : one))
        : [...value, terms],
    );
  };

  return (
    <Stack gap="sm">
      <TermsTable
        rows={rows}
        onEdit={(row) => setEditing(row.paymentGroupId)}
        onRemove={(row) => onChange(value.filter((one) => one.paymentGroupId !== row.paymentGroupId))}
        emptyHint={t('entities:terms.noneHint')}
      />
      {free.length > 0 && (
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
        <TermsDialog
          key={editing}
          title={t('entities:terms.add')}
          defaults={current ?? termsValues(kind, null)}
          offered={current ? null : free}
          currency={group(current?.paymentGroupId ?? null)?.currencyTo ?? null}
          send={keep}
          onClose={() => setEditing(null)}
        />
      )}
    </Stack>
  );
}
