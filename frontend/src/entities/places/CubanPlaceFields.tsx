import { type FieldValues, type Path, type PathValue, useFormContext } from 'react-hook-form';
import { useListMunicipalitiesQuery, useListProvincesQuery } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { SelectField } from '~/shared/ui/form/fields';

interface CubanPlaceFieldsProps<Values extends FieldValues> {
  province: Path<Values>;
  municipality: Path<Values>;
}

/** What may be chosen: the places that remittances go to, and the one that stands there already. */
export function placeOptions(
  rows: { id: string; name: string; enabled: boolean }[] | undefined,
  kept: string | null,
) {
  return (rows ?? [])
    .filter(({ id, enabled }) => enabled || id === kept)
    .map(({ id, name }) => ({ value: id, label: name }));
}

/** A Cuban province and one of its municipalities. */
export function CubanPlaceFields<Values extends FieldValues>({
  province,
  municipality,
}: CubanPlaceFieldsProps<Values>) {
  const t = useTexts();
  const { watch, setValue } = useFormContext<Values>();
  const provinceId = watch(province) as string | null;
  const municipalityId = watch(municipality) as string | null;
  const { data: provinces } = useListProvincesQuery();
  const { data: municipalities } = useListMunicipalitiesQuery(
    { provinceId: provinceId ?? undefined },
    { skip: !provinceId },
  );
  return (
    <>
      <SelectField<Values>
        name={province}
        label={t('entities:place.province')}
        searchable
        clearable
        data={placeOptions(provinces?.results, provinceId)}
        onChange={() =>
          setValue(municipality, null as PathValue<Values, Path<Values>>, { shouldDirty: true })
        }
      />
      <SelectField<Values>
        name={municipality}
        label={t('entities:place.municipality')}
        searchable
        clearable
        disabled={!provinceId}
        data={provinceId ? placeOptions(municipalities?.results, municipalityId) : []}
      />
    </>
  );
}
