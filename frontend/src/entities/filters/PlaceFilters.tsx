import { useListMunicipalitiesQuery, useListProvincesQuery } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { FilterSelect, namedOptions } from '~/shared/ui/table/FilterSelect';
import type { ListState } from '~/shared/ui/table/useListState';

/** By province. */
export function ProvinceFilter({ list }: { list: ListState<'provinceId'> }) {
  const t = useTexts();
  const { data } = useListProvincesQuery();
  return (
    <FilterSelect
      list={list}
      name="provinceId"
      label={t('entities:place.province')}
      data={namedOptions(data?.results)}
    />
  );
}

interface PlaceFiltersProps {
  list: ListState<'provinceId' | 'municipalityId'>;
  width?: number;
}

/** By province, and then by municipality. */
export function PlaceFilters({ list, width }: PlaceFiltersProps) {
  const t = useTexts();
  const province = list.filters.provinceId;
  const { data: provinces } = useListProvincesQuery();
  const { data: municipalities } = useListMunicipalitiesQuery({ provinceId: province }, { skip: !province });
  return (
    <>
      <FilterSelect
        list={list}
        name="provinceId"
        label={t('entities:place.province')}
        width={width}
        data={namedOptions(provinces?.results)}
        resets="municipalityId"
      />
      {province && (
        <FilterSelect
          list={list}
          name="municipalityId"
          label={t('entities:place.municipality')}
          width={width}
          data={namedOptions(municipalities?.results)}
        />
      )}
    </>
  );
}
