import { type FieldValues, type Path, useController, useFormContext } from 'react-hook-form';
import { useFieldText } from './useFieldText';

/** A Mantine input's props without those that the form provides. */
export type Bound<Values extends FieldValues, Props> = { name: Path<Values> } & Omit<
  Props,
  'name' | 'value' | 'defaultValue' | 'error'
>;

/** Binds an input to the surrounding form: value, events, and error in the reader's language. */
export function useField<Values extends FieldValues>(name: Path<Values>) {
  const { control } = useFormContext<Values>();
  const { field, fieldState } = useController({ control, name });
  const error = useFieldText(fieldState.error?.message);
  return { field, error };
}
