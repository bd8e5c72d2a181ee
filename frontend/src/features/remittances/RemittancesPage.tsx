import { Button } from '@mantine/core';
import { IconPlus, IconReceiptOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { may, type Remittance, useProfile } from '~/api';
import { STATUS } from '~/entities/remittances/status';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { offered } from './actions';
import { BulkBar } from './bulk/BulkBar';
import { ByPlace } from './bulk/ByPlace';
import { SelectionProvider, useNewSelection } from './bulk/selection';
import { remittanceColumns, selectColumn } from './columns';
import { RemittanceList } from './RemittanceList';

const NOTHING_FIXED = {};

/** Assigning several at once: a manager's to dealers, and a dealer's to his delivery men. */
const assignable = (row: Remittance) => offered(row).includes('assign');
const handedOn = (row: Remittance) => assignable(row) && row.deliveryMan === null;

/** The remittances in the reader's scope. Who assigns them can do so with several at once. */
export default function RemittancesPage() {
  const t = useTexts();
  const locale = useLocale();
  const { role, timeZone } = useProfile();
  const manager = role === 'manager';
  const assigns = may.assignDealerInBulk.includes(role);
  const selection = useNewSelection(manager ? assignable : handedOn);
  const columns = useMemo(
    () => [...(assigns ? [selectColumn()] : []), ...remittanceColumns({ t, locale, zone: timeZone, role })],
    [t, locale, timeZone, role, assigns],
  );
  const seller = may.createRemittance.includes(role);
  const newButton = seller && (
    <Button component={Link} to="/invoice/new/" leftSection={<IconPlus size={17} aria-hidden />}>
      {t('remittances:list.new')}
    </Button>
  );
  return (
    <SelectionProvider value={assigns ? selection : null}>
      <RemittanceList
        name="remittances"
        title={t('remittances:list.title')}
        actions={
          <>
            {assigns && <ByPlace selection={selection} status={manager ? STATUS.pending : STATUS.shipping} />}
            {newButton}
          </>
        }
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
