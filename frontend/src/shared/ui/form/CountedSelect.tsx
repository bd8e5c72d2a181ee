import { Checkbox, Combobox, Group, Input, InputBase, useCombobox } from '@mantine/core';
import { type ReactNode, type Ref, useId } from 'react';

interface CountedSelectProps {
  label: string;
  placeholder: string;
  /** "3 areas selected". */
  counted: (count: number) => string;
  data: { value: string; label: string }[];
  value: string[];
  onChange: (value: string[]) => void;
  disabled?: boolean;
  error?: ReactNode;
  selectAll: string;
  ref?: Ref<HTMLButtonElement>;
}

const ALL = '*';
const TALLEST_PX = 260;

/** A multiple choice from a long list, shown as a count: pills for twenty places would fill the form. */
export function CountedSelect(props: CountedSelectProps) {
  const { data, value, onChange } = props;
  const id = useId();
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const all = data.length > 0 && data.every((one) => value.includes(one.value));
  const toggle = (chosen: string) => {
    if (chosen === ALL) onChange(all ? [] : data.map((one) => one.value));
    else onChange(value.includes(chosen) ? value.filter((one) => one !== chosen) : [...value, chosen]);
  };
  const row = (key: string, label: string, checked: boolean) => (
    <Combobox.Option key={key} value={key} active={checked} aria-selected={checked}>
      <Group gap="sm" wrap="nowrap">
        <Checkbox.Indicator checked={checked} aria-hidden />
        <span>{label}</span>
      </Group>
    </Combobox.Option>
  );
  return (
    <Combobox store={combobox} onOptionSubmit={toggle} disabled={props.disabled}>
      <Combobox.Target targetType="button" withExpandedAttribute>
        <InputBase
          component="button"
          type="button"
          // A combobox without text input.
          role="combobox"
          id={id}
          ref={props.ref}
          label={props.label}
          error={props.error}
          disabled={props.disabled}
          pointer
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.toggleDropdown()}
        >
          {value.length > 0 ? (
            props.counted(value.length)
          ) : (
            <Input.Placeholder>{props.placeholder}</Input.Placeholder>
          )}
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        {/* The list itself scrolls, because the button's `aria-controls` points to it. */}
        <Combobox.Options aria-label={props.label} mah={TALLEST_PX} style={{ overflowY: 'auto' }}>
          {row(ALL, props.selectAll, all)}
          {data.map((one) => row(one.value, one.label, value.includes(one.value)))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
