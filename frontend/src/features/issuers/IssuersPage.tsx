import { Button } from '@mantine/core';
import { IconEdit, IconTrash, IconUserOff, IconUserPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import {
  type Customer,
  downloadList,
  LISTS,
  type ListSendersApiArg,
  underKey,
  useDeleteUserMutation,
  useGetCustomerQuery,
  useListSendersQuery,
  useProfile,
} from '~/api';
import { DocumentPictures } from '~/entities/customers/DocumentPictures';
import { DossierMenu } from '~/entities/customers/DossierMenu';
import { useOwners } from '~/entities/customers/useOwners';
import { offered } from '~/entities/offers';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Facts } from '~/shared/ui/Facts';
import { FilterSelect, namedOptions } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useDialogParam } from '~/shared/ui/table/useDialogParam';
import { useListState } from '~/shared/ui/table/useListState';
import { issuerColumns } from './columns';
import { IssuerModal } from './IssuerModal';

const FILTERS = ['query', 'agencyId'] as const;
const DEFAULTS = { sort: '-created' };
const NEW = 'new';

function IssuerDetail({ issuer }: { issuer: Customer }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  return (
    <>
      <Facts
        facts={[
          { label: t('entities:person.address'), value: issuer.addressLine ?? '–' },
          { label: t('entities:place.zip'), value: issuer.zipCode ?? '–' },
          { label: t('common:times.created'), value: formatDateTime(issuer.created, locale, timeZone) },
          { label: t('common:times.updated'), value: formatDateTime(issuer.updated, locale, timeZone) },
        ]}
      />
      <DocumentPictures customer={issuer} />
      <div>
        <DossierMenu id={issuer.id} />
      </div>
    </>
  );
}

/** The issuers in the reader's scope. */
export default function IssuersPage() {
  const t = useTexts();
  const list = useListState(FILTERS, DEFAULTS);
  const { mustChoose, agencies, agents } = useOwners();
  const [editing, setEditing] = useDialogParam('edit');
  const [deleting, setDeleting] = useState<Customer | null>(null);
  const [remove] = useDeleteUserMutation();
  const query = useListSendersQuery({
    currentPage: list.page,
    recordsPerPage: list.size,
    name: list.filters.query,
    agencyId: list.filters.agencyId,
    sort: list.sort as ListSendersApiArg['sort'],
  });
  const { currentData: edited } = useGetCustomerQuery(
    { id: editing ?? '' },
    { skip: !editing || editing === NEW, refetchOnMountOrArgChange: true },
  );

  const columns = useMemo(
    () =>
      issuerColumns(t, (row) =>
        offered(t, row, [
          {
            act: 'addRecipient',
            icon: IconUserPlus,
            label: t('issuers:actions.addRecipient'),
            to: `/recipients?new=${row.id}`,
          },
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
    <Button leftSection={<IconUserPlus size={17} aria-hidden />} onClick={() => setEditing(NEW)}>
      {t('issuers:list.new')}
    </Button>
  );

  return (
    <>
      <ListScreen
        name="issuers"
        title={t('common:menu.issuers')}
        actions={
          <>
            <Button component={Link} to="/issuers/documents/" variant="default">
              {t('common:menu.expiringDocuments')}
            </Button>
            {newButton}
          </>
        }
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listSenders.sorts}
        searchLabel={t('issuers:list.search')}
        filters={
          mustChoose && (
            <FilterSelect
              list={list}
              name="agencyId"
              label={t('issuers:form.agency')}
              width={220}
              data={namedOptions([...agencies, ...agents])}
            />
          )
        }
        onExport={(format) =>
          downloadList(
            '/api/customer/sender',
            { name: list.filters.query, agencyId: list.filters.agencyId, sort: list.sort },
            format,
          )
        }
        rowId={(row) => row.id}
        rowName={(row) => row.fullName ?? t('entities:erased')}
        detail={(row) => <IssuerDetail issuer={row} />}
        empty={{
          icon: IconUserOff,
          title: t('issuers:list.empty'),
          hint: t('issuers:list.emptyHint'),
          action: newButton,
        }}
      />
      {editing === NEW && <IssuerModal issuer={null} onClose={() => setEditing(null)} />}
      {edited && editing === edited.id && (
        <IssuerModal key={edited.id} issuer={edited} onClose={() => setEditing(null)} />
      )}
      {deleting && (
        <ConfirmAct
          title={t('issuers:delete.title')}
          message={t('issuers:delete.message')}
          facts={[
            { label: t('entities:person.name'), value: deleting.fullName },
            { label: t('entities:party.phone'), value: deleting.phoneNumber ?? '–' },
          ]}
          confirmLabel={t('common:actions.delete')}
          danger
          act={(key) => remove(underKey({ id: deleting.id }, key)).unwrap()}
          done={t('issuers:done.deleted')}
          onDone={list.toStart}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}
