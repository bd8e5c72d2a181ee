import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

it('keeps the caret in place when a digit is refused', async () => {
  render(<Field start="10.99" />);
  await userEvent.type(input(), '5', { initialSelectionStart: 4, initialSelectionEnd: 4 });
  expect(input().value).toBe('10,99');
  expect(input().selectionStart).toBe(4);
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

/** Types over a selection of the shown text. */
async function typeOver(selected: string, typed: string) {
  const from = input().value.indexOf(selected);
  await userEvent.type(input(), typed, {
    initialSelectionStart: from,
    initialSelectionEnd: from + selected.length,
  });
}

it.each([
  ['100.25', ',25', '.5', '100.5'],
  ['100.25', ',25', ',5', '100.5'],
  ['12.5', '12,5', '.75', '0.75'],
  ['12.5', '12,5', ',75', '0.75'],
  ['100', '00', '.5', '1.5'],
  ['1234.5', '.234,5', '.5', '1.5'],
  ['100.25', ',25', '.', '100'],
])(
  'keeps a decimal mark that replaces selected text: %s with %s replaced by %s',
  async (start, selected, typed, then) => {
    render(<Field start={start} />);
    await typeOver(selected, typed);
    expect(latest).toBe(then);
  },
);

it.each([
  ['', '.75', '0.75'],
  ['', ',75', '0.75'],
])('puts a zero before a decimal mark that begins the amount', async (start, typed, then) => {
  render(<Field start={start} />);
  await userEvent.type(input(), typed);
  expect(latest).toBe(then);
});

it.each([
  ['{Backspace}', 'before it', 5],
  ['{Delete}', 'behind it', 6],
])('keeps the decimal mark while decimals follow it: %s puts the caret %s', async (key, _where, caret) => {
  render(<Field start="1234.5" />);
  const at = key === '{Backspace}' ? 6 : 5;
  await userEvent.type(input(), key, { initialSelectionStart: at, initialSelectionEnd: at });
  expect(input().value).toBe('1.234,5');
  expect(input().selectionStart).toBe(caret);
  expect(latest).toBe('1234.5');
});

it('keeps decimals behind the mark when digits replace a selection with it', async () => {
  render(<Field start="100.25" />);
  await typeOver(',2', '7');
  expect(latest).toBe('100.75');
  await typeOver('00,7', '50');
  expect(latest).toBe('150.5');
});

it('removes the decimal mark with the last decimal gone', async () => {
  render(<Field start="1234.5" />);
  await userEvent.type(input(), '{Backspace}{Backspace}');
  expect(input().value).toBe('1.234');
  expect(latest).toBe('1234');
});

it('reads an amount that a keyboard inserts whole as a pasted one', async () => {
  render(<Field start="7" />);
  const field = input();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, '100.50');
  field.setSelectionRange(6, 6);
  fireEvent(field, new InputEvent('input', { bubbles: true, data: '100.50', inputType: 'insertText' }));
  expect(latest).toBe('100.50');
});

describe('in English', () => {
  beforeAll(() => i18next.changeLanguage('en').then(() => undefined));
  afterAll(() => i18next.changeLanguage('es').then(() => undefined));

  it.each([
    ['100.25', '.25', ',5', '100.5'],
    ['100.25', '.25', '.5', '100.5'],
    ['100', '00', ',5', '1.5'],
  ])(
    'keeps a decimal mark that replaces selected text: %s with %s replaced by %s',
    async (start, selected, typed, then) => {
      render(<Field start={start} />);
      await typeOver(selected, typed);
      expect(latest).toBe(then);
    },
  );
});
