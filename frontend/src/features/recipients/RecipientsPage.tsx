import { Button, SimpleGrid } from '@mantine/core';
import { IconEdit, IconTrash, IconUserOff, IconUserPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import {
  type Customer,
  downloadList,
  LISTS,
  type ListRecipientsApiArg,
  underKey,
  useDeleteUserMutation,
  useGetCustomerQuery,
  useListRecipientsQuery,
  useProfile,
} from '~/api';
import { shownNumber } from '~/entities/cards/brands';
import { DocumentPictures } from '~/entities/customers/DocumentPictures';
import { DossierMenu } from '~/entities/customers/DossierMenu';
import { IssuerSelect } from '~/entities/customers/IssuerSelect';
import { offered } from '~/entities/offers';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Facts } from '~/shared/ui/Facts';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useDialogParam } from '~/shared/ui/table/useDialogParam';
import { useListState } from '~/shared/ui/table/useListState';
import { recipientColumns } from './columns';
import { RecipientModal } from './RecipientModal';

const FILTERS = ['query', 'senderId'] as const;
const DEFAULTS = { sort: '-created' };
/** In place of an issuer's id: a new recipient of whom one chooses. */
const OF_ANY = '1';

function RecipientDetail({ recipient }: { recipient: Customer }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="xs">
      <Facts
        facts={[
          {
            label: t('entities:person.address'),
            value: [recipient.addressLine, recipient.repart].filter(Boolean).join(', ') || '–',
          },
          { label: t('common:times.created'), value: formatDateTime(recipient.created, locale, timeZone) },
          { label: t('common:times.updated'), value: formatDateTime(recipient.updated, locale, timeZone) },
          ...recipient.card.map((card) => ({
            key: card.id,
            label: t(`entities:brand.${card.brand}`),
            value: shownNumber(card.cardNumber) ?? t('entities:erased'),
          })),
        ]}
      />
      <Facts
        facts={[
          { label: t('recipients:alternative.name'), value: recipient.alternativeName ?? '–' },
          { label: t('recipients:alternative.lastName'), value: recipient.alternativeLastName ?? '–' },
          {
            label: t('recipients:alternative.ci'),
            value: recipient.alternativePersonalIdentificationNumber ?? '–',
          },
          { label: t('recipients:alternative.phone'), value: recipient.alternativePhoneNumber ?? '–' },
        ]}
      />
      <div>
        <DocumentPictures customer={recipient} />
      </div>
      <div>
        <DossierMenu id={recipient.id} />
      </div>
    </SimpleGrid>
  );
}

/** The recipients in the reader's scope. */
export default function RecipientsPage() {
  const t = useTexts();
  const list = useListState(FILTERS, DEFAULTS);
  const [editing, setEditing] = useDialogParam('edit');
  const [adding, setAdding] = useDialogParam('new');
  const [deleting, setDeleting] = useState<Customer | null>(null);
  const [remove] = useDeleteUserMutation();
  const query = useListRecipientsQuery({
    currentPage: list.page,
    recordsPerPage: list.size,
    name: list.filters.query,
    senderId: list.filters.senderId,
    sort: list.sort as ListRecipientsApiArg['sort'],
  });
  const { currentData: edited } = useGetCustomerQuery(
    { id: editing ?? '' },
    { skip: !editing, refetchOnMountOrArgChange: true },
  );

  const columns = useMemo(
    () =>
      recipientColumns(t, (row) =>
        offered(t, row, [
          {
            act: 'edit',
            icon: IconEdit,
            label: t('common:actions.edit'),
            onClick: () => setEditing(row.id),
          },
          {
            act: 'delete',
            icon: IconTrash,
            label: t('common:actions.delete'),
            danger: true,
            onClick: () => setDeleting(row),
          },
        ]),
      ),
    [t, setEditing],
  );
  const newButton = (
    <Button
      leftSection={<IconUserPlus size={17} aria-hidden />}
      onClick={() => setAdding(list.filters.senderId ?? OF_ANY)}
    >
      {t('recipients:list.new')}
    </Button>
  );

  return (
    <>
      <ListScreen
        name="recipients"
        title={t('common:menu.recipients')}
        actions={newButton}
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listRecipients.sorts}
        searchLabel={t('recipients:list.search')}
        filters={
          <IssuerSelect
            label={t('entities:issuer.label')}
            hideLabel
            width={240}
            value={list.filters.senderId ?? null}
            onChange={(id) => list.setFilters({ senderId: id ?? undefined })}
          />
        }
        onExport={(format) =>
          downloadList(
            '/api/customer/reciever',
            { name: list.filters.query, senderId: list.filters.senderId, sort: list.sort },
            format,
          )
        }
        rowId={(row) => row.id}
        rowName={(row) => row.fullName ?? t('entities:erased')}
        detail={(row) => <RecipientDetail recipient={row} />}
        empty={{
          icon: IconUserOff,
          title: t('recipients:list.empty'),
          hint: t('recipients:list.emptyHint'),
          action: newButton,
        }}
      />
      {adding && (
        <RecipientModal
          recipient={null}
          issuer={adding === OF_ANY ? null : adding}
          onClose={() => setAdding(null)}
        />
      )}
      {edited && editing === edited.id && (
        <RecipientModal key={edited.id} recipient={edited} issuer={null} onClose={() => setEditing(null)} />
      )}
      {deleting && (
        <ConfirmAct
          title={t('recipients:delete.title')}
          message={t('recipients:delete.message')}
          facts={[
            { label: t('entities:person.name'), value: deleting.fullName },
            { label: t('entities:party.phone'), value: deleting.phoneNumber ?? '–' },
          ]}
          confirmLabel={t('common:actions.delete')}
          danger
          act={(key) => remove(underKey({ id: deleting.id }, key)).unwrap()}
          done={t('recipients:done.deleted')}
          onDone={list.toStart}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}
