import { type FieldValues, type Path, useFormContext } from 'react-hook-form';
import { CountryField } from '~/entities/places/CountryField';
import { useTexts } from '~/shared/lib/texts';
import { impliesCountry } from './identification';

interface DocumentCountryFieldProps<Values extends FieldValues> {
  name: Path<Values>;
  /** Holds the document's type. */
  type: Path<Values>;
}

/** The country that issued a document, where its type does not say it. */
export function DocumentCountryField<Values extends FieldValues>({
  name,
  type,
}: DocumentCountryFieldProps<Values>) {
  const t = useTexts();
  const { watch } = useFormContext<Values>();
  if (impliesCountry(watch(type) as string | null)) return null;
  return <CountryField<Values> name={name} label={t('entities:identification.country')} />;
}
