import { Button, Combobox, Group, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch, IconUserPlus } from '@tabler/icons-react';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import type { Customer } from '~/api';
import { DocumentExpiry } from '~/entities/customers/DocumentExpiry';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import classes from './CustomerPicker.module.css';

const NEW = 'new';

interface CustomerPickerProps {
  label: string;
  newLabel: string;
  error?: string;
  inputRef?: Ref<HTMLInputElement>;
  chosen: Customer | null;
  onChoose: (customer: Customer | null) => void;
  /** What is typed in the search box, and what it finds. */
  text: string;
  onText: (text: string) => void;
  customers: Customer[];
  /** Whether they are what was found for an older text: none of them is chosen by accident then. */
  stale: boolean;
  /** Whether the first one stands chosen before anything is typed. */
  offersFirst: boolean;
  /** Whether a new one was being entered before the page was loaded again. */
  begun: boolean;
  /** The form that makes a new one, with what was typed. */
  creation: (typed: string, done: (made: Customer) => void, cancel: () => void) => ReactNode;
}

/** A person's second line: what tells two of the same name apart. */
function describe(customer: Customer): string {
  const place = [customer.municipality, customer.province].filter(Boolean).join(', ');
  return [customer.phoneNumber, customer.personalIdentificationNumber, place].filter(Boolean).join(' · ');
}

/** Finds a person by typing, or makes a new one in place. */
export function CustomerPicker(props: CustomerPickerProps) {
  const t = useTexts();
  const { text, onText, customers, stale, offersFirst } = props;
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const [creating, setCreating] = useState(props.begun);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });

  // Return takes the first that was found: with a queue at the counter nobody reaches for the arrow keys.
  const first = customers[0]?.id;
  const { selectFirstOption, resetSelectedOption, dropdownOpened } = combobox;
  // Where nobody was found it is the new one that is offered.
  const typed = text.trim() !== '';
  const offered = dropdownOpened && !stale && (typed || (offersFirst && first !== undefined));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the combobox's functions are new at every render
  useEffect(() => {
    if (offered) selectFirstOption();
    else resetSelectedOption();
  }, [offered, first]);

  if (props.chosen) {
    const { chosen } = props;
    return (
      <div className={classes.chosen}>
        <div>
          <Text fw={650} lh={1.3}>
            {chosen.fullName ?? t('remittances:erased')}
          </Text>
          <Text size="sm" c="dimmed">
            {describe(chosen)}
          </Text>
          <DocumentExpiry customer={chosen} />
          {chosen.customerType === 1 && chosen.addressLine && (
            <Text size="sm" c="dimmed">
              {chosen.addressLine}
            </Text>
          )}
        </div>
        <Button
          variant="default"
          size="compact-md"
          onClick={() => props.onChoose(null)}
          aria-label={t('remittances:picker.changeOf', { name: chosen.fullName ?? '' })}
        >
          {t('remittances:picker.change')}
        </Button>
      </div>
    );
  }

  if (creating) {
    return (
      <div className={classes.creation}>
        {props.creation(
          text.trim(),
          (made) => {
            setCreating(false);
            onText('');
            props.onChoose(made);
          },
          () => setCreating(false),
        )}
      </div>
    );
  }

  const choose = (value: string) => {
    combobox.closeDropdown();
    if (value === NEW) {
      setCreating(true);
      return;
    }
    const customer = customers.find(({ id }) => id === value);
    if (!customer) return;
    onText('');
    props.onChoose(customer);
  };

  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <Combobox store={combobox} onOptionSubmit={choose}>
        <Combobox.Target>
          <TextInput
            ref={props.inputRef}
            className={classes.input}
            aria-label={props.label}
            placeholder={props.label}
            error={props.error}
            autoComplete="off"
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={stale && <Loader size={16} />}
            // A telephone's keyboard would jump up and hide the page.
            autoFocus={!phone}
            value={text}
            onChange={(event) => {
              onText(event.currentTarget.value);
              combobox.openDropdown();
            }}
            onClick={() => combobox.openDropdown()}
            onFocus={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options aria-label={props.label}>
            {customers.map((customer) => (
              <Combobox.Option key={customer.id} value={customer.id}>
                <Text size="sm" fw={600}>
                  {customer.fullName}
                </Text>
                <Text size="xs" className={classes.about}>
                  {describe(customer)}
                </Text>
              </Combobox.Option>
            ))}
            {customers.length === 0 && <Combobox.Empty>{t('remittances:picker.none')}</Combobox.Empty>}
            <Combobox.Option value={NEW}>
              <Group gap={8}>
                <IconUserPlus size={16} aria-hidden />
                <Text size="sm" fw={600}>
                  {text.trim()
                    ? t('remittances:picker.newNamed', { label: props.newLabel, name: text.trim() })
                    : props.newLabel}
                </Text>
              </Group>
            </Combobox.Option>
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <Button
        variant="default"
        leftSection={<IconUserPlus size={16} aria-hidden />}
        onClick={() => setCreating(true)}
        className={classes.new}
      >
        {props.newLabel}
      </Button>
    </Group>
  );
}
