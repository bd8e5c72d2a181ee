import type { SelectProps } from '@mantine/core';
import type { FieldValues } from 'react-hook-form';
import { useListCountriesQuery } from '~/api';
import { SelectField } from '~/shared/ui/form/fields';
import type { Bound } from '~/shared/ui/form/useField';

/** A country by its name, held by its code. */
export function CountryField<Values extends FieldValues>(
  props: Bound<Values, Omit<SelectProps, 'data' | 'onChange'>> & {
    onChange?: (value: string | null) => void;
  },
) {
  const { data: countries } = useListCountriesQuery();
  return (
    <SelectField<Values>
      searchable
      clearable
      data={(countries?.results ?? []).map(({ code, name }) => ({ value: code, label: name }))}
      {...props}
    />
  );
}
