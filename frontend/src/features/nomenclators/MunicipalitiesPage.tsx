import { IconEdit, IconMapPin } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import {
  type Municipality,
  underKey,
  useListMunicipalitiesQuery,
  useListProvincesQuery,
  useUpdateMunicipalityMutation,
} from '~/api';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import { FilterSelect, namedOptions } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { localPage } from '~/shared/ui/table/localPage';
import { RowActions } from '~/shared/ui/table/RowActions';
import { useDialogParam } from '~/shared/ui/table/useDialogParam';
import { useListState } from '~/shared/ui/table/useListState';
import { EnabledSwitch } from './EnabledSwitch';
import { MunicipalityModal } from './MunicipalityModal';
import { PlaceOff } from './PlaceOff';

const FILTERS = ['query', 'provinceId'] as const;
const DEFAULTS = { sort: 'code' };
const RULES = {
  texts: (row: Municipality) => [row.name, row.provinceName],
  sorts: {
    code: (row: Municipality) => row.code,
    name: (row: Municipality) => row.name,
    province: (row: Municipality) => row.provinceName,
  },
};
const column = createColumnHelper<Municipality>();

/** Cuba's municipalities: whether remittances go there, and what that costs. */
export default function MunicipalitiesPage() {
  const t = useTexts();
  const locale = useLocale();
  const list = useListState(FILTERS, DEFAULTS);
  const [editing, setEditing] = useDialogParam('edit');
  const [ending, setEnding] = useState<Municipality | null>(null);
  const [update] = useUpdateMunicipalityMutation();
  const { data: provinces } = useListProvincesQuery();
  const { data, ...query } = useListMunicipalitiesQuery({ provinceId: list.filters.provinceId });
  const page = useMemo(() => data && localPage(data.results, list, RULES, locale), [data, list, locale]);
  const edited = data?.results.find(({ id }) => id === editing);
  const columns = useMemo(
    () =>
      [
        column.accessor('name', {
          header: t('entities:place.municipality'),
          meta: { sort: 'name', card: 'title' },
        }),
        column.accessor('provinceName', {
          header: t('entities:place.province'),
          meta: { sort: 'province' },
        }),
        column.accessor('distributionFee', {
          header: t('nomenclators:place.fee'),
          cell: ({ row: { original: row } }) =>
            row.distributionFee === null ? (
              '–'
            ) : (
              <Money value={row.distributionFee} currency={row.distributionFeeCurrency ?? undefined} />
            ),
          meta: { align: 'right' },
        }),
        column.accessor('enabled', {
          header: t('nomenclators:place.delivers'),
          cell: ({ row: { original: row } }) => (
            <EnabledSwitch
              label={t('nomenclators:place.deliversTo', { name: row.name })}
              enabled={row.enabled}
              change={(enabled) => update({ id: row.id, municipalityInput: { enabled } }).unwrap()}
              confirmOff={() => setEnding(row)}
            />
          ),
          meta: { card: 'corner' },
        }),
        column.display({
          id: 'actions',
          header: t('common:table.actions'),
          cell: ({ row: { original: row } }) => (
            <RowActions
              name={row.name}
              actions={[
                { icon: IconEdit, label: t('common:actions.edit'), onClick: () => setEditing(row.id) },
              ]}
            />
          ),
          meta: { align: 'right', card: 'actions' },
        }),
      ] as ColumnDef<Municipality, unknown>[],
    [t, setEditing, update],
  );
  return (
    <>
      <ListScreen
        name="municipalities"
        title={t('common:menu.municipalities')}
        list={list}
        query={{ ...query, data: page }}
        columns={columns}
        searchLabel={t('nomenclators:place.searchMunicipality')}
        filters={
          <FilterSelect
            list={list}
            name="provinceId"
            label={t('entities:place.province')}
            width={220}
            data={namedOptions(provinces?.results)}
          />
        }
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        empty={{ icon: IconMapPin, title: t('common:list.noMatch') }}
      />
      {edited && <MunicipalityModal key={edited.id} municipality={edited} onClose={() => setEditing(null)} />}
      {ending && (
        <PlaceOff
          place={ending}
          kind="municipality"
          change={(key) =>
            update({ id: ending.id, municipalityInput: underKey({ enabled: false }, key) }).unwrap()
          }
          onClose={() => setEnding(null)}
        />
      )}
    </>
  );
}
