import {
  MultiSelect,
  type MultiSelectProps,
  Select,
  type SelectProps,
  Switch,
  type SwitchProps,
  Textarea,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';
import type { FieldValues } from 'react-hook-form';
import { RATE } from '~/shared/lib/decimal';
import { foldText } from '~/shared/lib/foldText';
import { MoneyInput } from '../MoneyInput';
import { type Bound, useField } from './useField';

/** Several lines of text. */
export function TextareaField<Values extends FieldValues>({ name, ...props }: Bound<Values, TextareaProps>) {
  const { field, error } = useField<Values>(name);
  return (
    <Textarea
      autosize
      minRows={2}
      maxRows={8}
      {...props}
      {...field}
      value={field.value ?? ''}
      error={error}
    />
  );
}

/** The first option whose label contains the text, ignoring case and accents; null for an empty text or no match. */
function firstMatch(data: SelectProps['data'], text: string): string | null {
  const sought = foldText(text.trim());
  if (!sought) return null;
  const all = (data ?? []).flatMap((one) => (typeof one === 'object' && 'items' in one ? one.items : [one]));
  const options = all.map((one) =>
    typeof one === 'string'
      ? { value: one, label: one }
      : { value: String(one.value), label: 'label' in one ? String(one.label) : String(one.value) },
  );
  const exact = options.find(({ label }) => foldText(label) === sought);
  return (exact ?? options.find(({ label }) => foldText(label).includes(sought)))?.value ?? null;
}

/** A single choice; null if none. */
export function SelectField<Values extends FieldValues>({
  name,
  onChange,
  ...props
}: Bound<Values, Omit<SelectProps, 'onChange'>> & { onChange?: (value: string | null) => void }) {
  const { field, error } = useField<Values>(name);
  const typed = useRef('');
  const choose = (value: string | null) => {
    field.onChange(value);
    onChange?.(value);
  };
  // Tab selects the option that the typed text matched, instead of discarding the text.
  const takeTyped = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Tab' || !props.searchable) return;
    const found = firstMatch(props.data, typed.current);
    if (found !== null && found !== field.value) choose(found);
  };
  return (
    <Select
      clearable={!props.required}
      onSearchChange={(text) => {
        typed.current = text;
      }}
      onKeyDown={takeTyped}
      {...props}
      ref={field.ref}
      name={field.name}
      onBlur={field.onBlur}
      value={field.value ?? null}
      onChange={choose}
      error={error}
    />
  );
}

/** Controlled, because `register` on Mantine's Switch shows a wrong default. */
export function SwitchField<Values extends FieldValues>({ name, ...props }: Bound<Values, SwitchProps>) {
  const { field, error } = useField<Values>(name);
  return (
    <Switch
      {...props}
      ref={field.ref}
      name={field.name}
      onBlur={field.onBlur}
      checked={Boolean(field.value)}
      onChange={(event) => field.onChange(event.currentTarget.checked)}
      error={error}
    />
  );
}

export function MoneyField<Values extends FieldValues>({
  name,
  ...props
}: Bound<Values, TextInputProps> & { currency?: string }) {
  const { field, error } = useField<Values>(name);
  return <MoneyInput {...props} {...field} value={field.value ?? ''} error={error} />;
}

/** An exact rate or percentage; negative for a discount. */
export function RateField<Values extends FieldValues>({
  name,
  unit,
  ...props
}: Bound<Values, TextInputProps> & { unit?: string }) {
  const { field, error } = useField<Values>(name);
  return (
    <MoneyInput {...props} {...field} limits={RATE} currency={unit} value={field.value ?? ''} error={error} />
  );
}

/** A multiple choice. */
export function MultiSelectField<Values extends FieldValues>({
  name,
  onChange,
  ...props
}: Bound<Values, Omit<MultiSelectProps, 'onChange'>> & { onChange?: (values: string[]) => void }) {
  const { field, error } = useField<Values>(name);
  return (
    <MultiSelect
      {...props}
      ref={field.ref}
      name={field.name}
      onBlur={field.onBlur}
      value={field.value ?? []}
      onChange={(values) => {
        field.onChange(values);
        onChange?.(values);
      }}
      error={error}
    />
  );
}
