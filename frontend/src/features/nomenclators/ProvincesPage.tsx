import { Anchor } from '@mantine/core';
import { IconMap2 } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { type Province, underKey, useListProvincesQuery, useUpdateProvinceMutation } from '~/api';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { localPage } from '~/shared/ui/table/localPage';
import { useListState } from '~/shared/ui/table/useListState';
import { EnabledSwitch } from './EnabledSwitch';
import { PlaceOff } from './PlaceOff';

const FILTERS = ['query'] as const;
const DEFAULTS = { sort: 'code' };
const RULES = {
  texts: (row: Province) => [row.name, row.code],
  sorts: { code: (row: Province) => row.code, name: (row: Province) => row.name },
};
const column = createColumnHelper<Province>();

/** Cuba's provinces, and whether remittances go there. */
export default function ProvincesPage() {
  const t = useTexts();
  const locale = useLocale();
  const list = useListState(FILTERS, DEFAULTS);
  const [update] = useUpdateProvinceMutation();
  const [ending, setEnding] = useState<Province | null>(null);
  const { data, ...query } = useListProvincesQuery();
  const page = useMemo(() => data && localPage(data.results, list, RULES, locale), [data, list, locale]);
  const columns = useMemo(
    () =>
      [
        column.accessor('name', {
          header: t('entities:place.province'),
          meta: { sort: 'name', card: 'title' },
        }),
        column.accessor('code', { header: t('nomenclators:place.code'), meta: { sort: 'code' } }),
        column.display({
          id: 'municipalities',
          header: t('common:menu.municipalities'),
          cell: ({ row }) => (
            <Anchor
              component={Link}
              size="sm"
              to={`/nomenclators/municipality/?provinceId=${row.original.id}`}
              aria-label={t('nomenclators:place.municipalitiesOf', { name: row.original.name })}
            >
              {t('nomenclators:place.see')}
            </Anchor>
          ),
        }),
        column.accessor('enabled', {
          header: t('nomenclators:place.delivers'),
          cell: ({ row: { original: row } }) => (
            <EnabledSwitch
              label={t('nomenclators:place.deliversTo', { name: row.name })}
              enabled={row.enabled}
              change={(enabled) => update({ id: row.id, provinceInput: { enabled } }).unwrap()}
              confirmOff={() => setEnding(row)}
            />
          ),
          meta: { card: 'corner' },
        }),
      ] as ColumnDef<Province, unknown>[],
    [t, update],
  );
  return (
    <>
      <ListScreen
        name="provinces"
        title={t('common:menu.provinces')}
        list={list}
        query={{ ...query, data: page }}
        columns={columns}
        searchLabel={t('nomenclators:place.searchProvince')}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        empty={{ icon: IconMap2, title: t('common:list.noMatch') }}
      />
      {ending && (
        <PlaceOff
          place={ending}
          kind="province"
          change={(key) =>
            update({ id: ending.id, provinceInput: underKey({ enabled: false }, key) }).unwrap()
          }
          onClose={() => setEnding(null)}
        />
      )}
    </>
  );
}
