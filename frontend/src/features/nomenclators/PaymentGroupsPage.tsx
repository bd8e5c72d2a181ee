import { Button, Group, SimpleGrid } from '@mantine/core';
import { IconCash, IconPlus } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import {
  downloadList,
  LISTS,
  type ListPaymentGroupsApiArg,
  PAYMENT_GROUP_TYPE,
  type PaymentGroup,
  underKey,
  useDeletePaymentGroupMutation,
  useListPaymentGroupsQuery,
} from '~/api';
import { ActiveMark } from '~/entities/parties/ActiveMark';
import { commissionText } from '~/entities/sellers/commissionText';
import { formatDecimal } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Facts } from '~/shared/ui/Facts';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useDialogParam } from '~/shared/ui/table/useDialogParam';
import { useListState } from '~/shared/ui/table/useListState';
import { actionsColumn } from './actionsColumn';
import { PaymentGroupModal } from './PaymentGroupModal';

const FILTERS = ['query'] as const;
const DEFAULTS = { sort: 'name' };
const NEW = 'new';
const column = createColumnHelper<PaymentGroup>();

/** The catalogue of payment groups: what is sold, at which rate, and who earns what. */
export default function PaymentGroupsPage() {
  const t = useTexts();
  const locale = useLocale();
  const list = useListState(FILTERS, DEFAULTS);
  const [editing, setEditing] = useDialogParam('edit');
  const [deleting, setDeleting] = useState<PaymentGroup | null>(null);
  const [remove] = useDeletePaymentGroupMutation();
  const query = useListPaymentGroupsQuery({
    type: PAYMENT_GROUP_TYPE.catalogue,
    currentPage: list.page,
    recordsPerPage: list.size,
    query: list.filters.query,
    sort: list.sort as ListPaymentGroupsApiArg['sort'],
  });
  const edited = query.data?.data.find(({ id }) => id === editing);

  const columns = useMemo(
    () =>
      [
        column.accessor('name', { header: t('entities:party.name'), meta: { sort: 'name', card: 'title' } }),
        column.accessor('currencyTo', {
          header: t('nomenclators:group.currencies'),
          cell: ({ row }) => `${row.original.currencyFrom} → ${row.original.currencyTo}`,
        }),
        column.accessor('exchangeRate', {
          header: t('entities:terms.exchangeRate'),
          cell: ({ getValue }) => formatDecimal(getValue(), locale),
          meta: { align: 'right' },
        }),
        column.accessor('managerCommission', {
          header: t('nomenclators:group.managerRate'),
          cell: ({ getValue }) => `${formatDecimal(getValue().rate, locale)} %`,
          meta: { align: 'right' },
        }),
        column.accessor('isActive', {
          header: t('entities:active.label'),
          cell: ({ getValue }) => <ActiveMark active={getValue()} />,
          meta: { card: 'corner', holds: 'mark' },
        }),
        actionsColumn<PaymentGroup>(t, {
          name: (row) => row.name,
          onEdit: (row) => setEditing(row.id),
          onDelete: setDeleting,
        }),
      ] as ColumnDef<PaymentGroup, unknown>[],
    [t, locale, setEditing],
  );
  const newButton = (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setEditing(NEW)}>
      {t('nomenclators:group.new')}
    </Button>
  );
  return (
    <>
      <ListScreen
        name="payment-groups"
        title={t('common:menu.paymentGroups')}
        actions={newButton}
        above={
          <Group gap="xs" mb="sm">
            <Button component={Link} to="/nomenclators/agency/groups/" variant="default" size="compact-md">
              {t('common:menu.agencyGroups')}
            </Button>
            <Button component={Link} to="/nomenclators/agent/group/" variant="default" size="compact-md">
              {t('common:menu.agentGroups')}
            </Button>
          </Group>
        }
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listPaymentGroups.sorts}
        searchLabel={t('nomenclators:group.search')}
        onExport={(format) =>
          downloadList(
            '/api/nomenclators/payment_group',
            { ...list.filters, Type: String(PAYMENT_GROUP_TYPE.catalogue), sort: list.sort },
            format,
          )
        }
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        detail={(row) => (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
            <Facts
              facts={[
                {
                  label: t('nomenclators:group.agencyCommission'),
                  value: commissionText(t, locale, row.agencyCommission),
                },
                {
                  label: t('nomenclators:group.agentCommission'),
                  value: commissionText(t, locale, row.agentCommission),
                },
              ]}
            />
          </SimpleGrid>
        )}
        empty={{
          icon: IconCash,
          title: t('nomenclators:group.empty'),
          hint: t('nomenclators:group.emptyHint'),
          action: newButton,
        }}
      />
      {editing === NEW && <PaymentGroupModal group={null} onClose={() => setEditing(null)} />}
      {edited && <PaymentGroupModal key={edited.id} group={edited} onClose={() => setEditing(null)} />}
      {deleting && (
        <ConfirmAct
          title={t('nomenclators:group.deleteTitle')}
          message={t('nomenclators:group.deleteMessage')}
          facts={[{ label: t('entities:party.name'), value: deleting.name }]}
          confirmLabel={t('common:actions.delete')}
          danger
          act={(key) => remove(underKey({ id: deleting.id }, key)).unwrap()}
          done={t('nomenclators:group.deleted')}
          onDone={list.toStart}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}
