import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { beforeAll, expect, it } from 'vitest';
import { MoneyInput } from './MoneyInput';

let latest = '';

function Field({ start = '' }: { start?: string }) {
  const [value, setValue] = useState(start);
  latest = value;
  return (
    <MantineProvider>
      <MoneyInput aria-label="amount" value={value} onChange={setValue} />
    </MantineProvider>
  );
}

const input = () => screen.getByLabelText<HTMLInputElement>('amount');

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'es', resources: {} });
});

it('groups digits while typing and reports a decimal string', async () => {
  render(<Field />);
  await userEvent.type(input(), '1234567,8');
  expect(input().value).toBe('1.234.567,8');
  expect(latest).toBe('1234567.8');
});

it('accepts the keypad point as the decimal mark in Spanish', async () => {
  render(<Field />);
  await userEvent.type(input(), '1234.56');
  expect(input().value).toBe('1.234,56');
  expect(latest).toBe('1234.56');
});

it('refuses a third decimal', async () => {
  render(<Field />);
  await userEvent.type(input(), '10.999');
  expect(input().value).toBe('10,99');
  expect(latest).toBe('10.99');
});

it('keeps the caret in place when a digit is inserted in the middle', async () => {
  render(<Field start="123456" />);
  await userEvent.click(input());
  input().setSelectionRange(1, 1);
  await userEvent.type(input(), '9', { initialSelectionStart: 1, initialSelectionEnd: 1 });
  expect(input().value).toBe('1.923.456');
  expect(input().selectionStart).toBe(3);
});

it('can be emptied', async () => {
  render(<Field start="5" />);
  await userEvent.type(input(), '{Backspace}');
  expect(input().value).toBe('');
  expect(latest).toBe('');
});

it('reads a pasted amount in the other locale’s format', async () => {
  render(<Field />);
  await userEvent.click(input());
  await userEvent.paste('1,234.56');
  expect(input().value).toBe('1.234,56');
  expect(latest).toBe('1234.56');
});
