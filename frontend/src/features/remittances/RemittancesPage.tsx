import { Button } from '@mantine/core';
import { IconPlus, IconReceiptOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { type Remittance, SELLERS, useProfile } from '~/api';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { allowedActions } from './actions';
import { BulkBar } from './bulk/BulkBar';
import { SelectionProvider, useNewSelection } from './bulk/selection';
import { remittanceColumns, selectColumn } from './columns';
import { RemittanceList } from './RemittanceList';

const NOTHING_FIXED = {};
const MANAGER = { role: 'manager', id: '', agencyId: null } as const;

/** Assigning several at once is the manager's. */
const assignable = (row: Remittance) => allowedActions(MANAGER, row).includes('assign');

/** The remittances in the reader's scope. Who assigns them can do so with several at once. */
export default function RemittancesPage() {
  const t = useTexts();
  const locale = useLocale();
  const { role, timeZone } = useProfile();
  const manager = role === 'manager';
  const selection = useNewSelection(assignable);
  const columns = useMemo(
    () => [...(manager ? [selectColumn()] : []), ...remittanceColumns({ t, locale, zone: timeZone, role })],
    [t, locale, timeZone, role, manager],
  );
  const seller = SELLERS.includes(role);
  const newButton = seller && (
    <Button component={Link} to="/invoice/new/" leftSection={<IconPlus size={17} aria-hidden />}>
      {t('remittances:list.new')}
    </Button>
  );
  return (
    <SelectionProvider value={manager ? selection : null}>
      <RemittanceList
        name="remittances"
        title={t('remittances:list.title')}
        actions={newButton}
        columns={columns}
        fixed={NOTHING_FIXED}
        empty={{
          icon: IconReceiptOff,
          title: t('remittances:list.empty'),
          hint: seller ? t('remittances:list.emptySeller') : t('remittances:list.emptyCarrier'),
          action: newButton,
        }}
      />
      <BulkBar />
    </SelectionProvider>
  );
}
