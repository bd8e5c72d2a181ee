import { Autocomplete } from '@mantine/core';
import { type FieldValues, type Path, type PathValue, useFormContext } from 'react-hook-form';
import { useListCitiesQuery, useListStatesQuery } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { useDebounced } from '~/shared/lib/useDebounced';
import { useField } from '~/shared/ui/form/useField';
import { CountryField } from './CountryField';

/** Long enough not to ask at every letter. */
const SUGGEST_DELAY_MS = 250;

interface WorldPlaceFieldsProps<Values extends FieldValues> {
  country: Path<Values>;
  /** Holds the state's or province's name. */
  state: Path<Values>;
  city: Path<Values>;
}

/** A country, its state or province, and a city: typed freely, with what was entered before as suggestions. */
export function WorldPlaceFields<Values extends FieldValues>(props: WorldPlaceFieldsProps<Values>) {
  const t = useTexts();
  const { watch, setValue } = useFormContext<Values>();
  const country = watch(props.country) as string | null;
  const state = useField<Values>(props.state);
  const city = useField<Values>(props.city);
  const typed = useDebounced(String(city.field.value ?? ''), SUGGEST_DELAY_MS);
  const { data: states } = useListStatesQuery({ code: country ?? '' }, { skip: !country });
  const { data: cities } = useListCitiesQuery(
    { country: country ?? undefined, query: typed || undefined },
    { skip: !country },
  );
  return (
    <>
      <CountryField<Values>
        name={props.country}
        label={t('entities:place.country')}
        onChange={() => setValue(props.state, '' as PathValue<Values, Path<Values>>, { shouldDirty: true })}
      />
      <Autocomplete
        label={t('entities:place.state')}
        ref={state.field.ref}
        name={state.field.name}
        onBlur={state.field.onBlur}
        value={state.field.value ?? ''}
        onChange={state.field.onChange}
        error={state.error}
        autoComplete="off"
        data={country ? [...new Set((states?.results ?? []).map(({ name }) => name))] : []}
      />
      <Autocomplete
        label={t('entities:place.city')}
        ref={city.field.ref}
        name={city.field.name}
        onBlur={city.field.onBlur}
        value={city.field.value ?? ''}
        onChange={city.field.onChange}
        error={city.error}
        autoComplete="off"
        data={country ? [...new Set((cities?.results ?? []).map(({ name }) => name))] : []}
      />
    </>
  );
}
