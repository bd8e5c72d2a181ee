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
import type { FieldValues } from 'react-hook-form';
import { RATE } from '~/shared/lib/decimal';
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

/** A choice out of a list; null when none. */
export function SelectField<Values extends FieldValues>({
  name,
  onChange,
  ...props
}: Bound<Values, Omit<SelectProps, 'onChange'>> & { onChange?: (value: string | null) => void }) {
  const { field, error } = useField<Values>(name);
  return (
    <Select
      {...props}
      ref={field.ref}
      name={field.name}
      onBlur={field.onBlur}
      value={field.value ?? null}
      onChange={(value) => {
        field.onChange(value);
        onChange?.(value);
      }}
      error={error}
    />
  );
}

/** On or off. Controlled, because `register` on Mantine's Switch shows a wrong default. */
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

/** An amount. */
export function MoneyField<Values extends FieldValues>({
  name,
  ...props
}: Bound<Values, TextInputProps> & { currency?: string }) {
  const { field, error } = useField<Values>(name);
  return <MoneyInput {...props} {...field} value={field.value ?? ''} error={error} />;
}

/** A rate or percentage: exact, and below zero where it is a discount. */
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

/** Several choices out of a list. */
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
