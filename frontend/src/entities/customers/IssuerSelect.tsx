import { type ComboboxItem, Loader, Select } from '@mantine/core';
import { useState } from 'react';
import type { FieldValues, Path } from 'react-hook-form';
import { useGetCustomerQuery, useListSendersQuery } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { useDebounced } from '~/shared/lib/useDebounced';
import { useField } from '~/shared/ui/form/useField';

/** Maximum options. */
const FOUND = 20;
const SEARCH_DELAY_MS = 250;

interface IssuerChoiceProps {
  label: string;
  hideLabel?: boolean;
  value: string | null;
  onChange: (id: string | null) => void;
  onBlur?: () => void;
  error?: string;
  required?: boolean;
  disabled?: boolean;
  width?: number;
  inputRef?: React.Ref<HTMLInputElement>;
}

/** Issuer select with server-side search. */
export function IssuerSelect(props: IssuerChoiceProps) {
  const t = useTexts();
  const [text, setText] = useState('');
  const sought = useDebounced(text.trim(), SEARCH_DELAY_MS);
  const { data: chosen } = useGetCustomerQuery({ id: props.value ?? '' }, { skip: !props.value });
  const name = props.value && chosen?.id === props.value ? (chosen.fullName ?? '') : '';
  const { data, isFetching } = useListSendersQuery({
    // The chosen name in the box is no search.
    name: sought && sought !== name ? sought : undefined,
    recordsPerPage: FOUND,
  });
  const options = new Map<string, ComboboxItem>();
  if (props.value && name) options.set(props.value, { value: props.value, label: name });
  for (const row of data?.data ?? []) {
    options.set(row.id, { value: row.id, label: row.fullName ?? t('entities:erased') });
  }
  return (
    <Select
      ref={props.inputRef}
      label={props.hideLabel ? undefined : props.label}
      aria-label={props.hideLabel ? props.label : undefined}
      placeholder={props.hideLabel ? props.label : t('entities:issuer.find')}
      required={props.required}
      disabled={props.disabled}
      w={props.width}
      maw="100%"
      searchable
      clearable
      searchValue={text}
      onSearchChange={setText}
      filter={({ options: all }) => all}
      nothingFoundMessage={t('entities:issuer.none')}
      rightSection={isFetching && text ? <Loader size={16} /> : undefined}
      data={[...options.values()]}
      value={props.value}
      onChange={props.onChange}
      onBlur={props.onBlur}
      error={props.error}
    />
  );
}

/** The issuer of a recipient, in a form. */
export function IssuerField<Values extends FieldValues>({
  name,
  disabled,
}: {
  name: Path<Values>;
  disabled?: boolean;
}) {
  const t = useTexts();
  const { field, error } = useField<Values>(name);
  return (
    <IssuerSelect
      label={t('entities:issuer.label')}
      required
      disabled={disabled}
      inputRef={field.ref}
      value={field.value ?? null}
      onChange={field.onChange}
      onBlur={field.onBlur}
      error={error}
    />
  );
}
