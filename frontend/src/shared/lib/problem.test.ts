import i18next from 'i18next';
import { beforeAll, expect, it } from 'vitest';
import { messageOf, readProblem } from './problem';

beforeAll(() => i18next.init({ lng: 'es', resources: {} }));

const body = {
  code: 'balance_insufficient',
  detail: 'Hay 1234567.50 CUP.',
  template: 'Hay {available} {currency}.',
  values: [
    { name: 'available', kind: 'amount', value: '1234567.50' },
    { name: 'currency', kind: 'text', value: 'CUP' },
  ],
};

it('writes the amounts, days and counts of a message as the reader does', async () => {
  expect(readProblem(409, body).detail).toBe('Hay 1.234.567,50 CUP.');
  const until = {
    detail: 'x',
    template: 'Hasta el {until}, {max} veces.',
    values: [
      { name: 'until', kind: 'day', value: '2031-11-05' },
      { name: 'max', kind: 'count', value: '5242880' },
    ],
  };
  expect(messageOf(until)).toBe('Hasta el 5 nov 2031, 5.242.880 veces.');
  await i18next.changeLanguage('en');
  expect(readProblem(409, body).detail).toBe('Hay 1,234,567.50 CUP.');
  await i18next.changeLanguage('es');
});

it('writes each of several amounts', () => {
  const values = [{ name: 'cash', kind: 'amounts', value: '1234.50 CUP, 3.00 USD' }];
  expect(messageOf({ template: 'Tiene {cash}.', values })).toBe('Tiene 1.234,50 CUP, 3,00 USD.');
  const rate = [{ name: 'rate', kind: 'rate', value: '1320.125' }];
  expect(messageOf({ template: 'La tasa es {rate}.', values: rate })).toBe('La tasa es 1.320,125.');
});

it('formats those of a field’s message too, and leaves a message without values unchanged', () => {
  const errors = [
    { field: 'amount', ...body },
    { field: 'name', code: 'required', detail: 'Es obligatorio.' },
  ];
  const { fields } = readProblem(422, { code: 'invalid', detail: 'x', errors });
  expect(fields.map(({ detail }) => detail)).toEqual(['Hay 1.234.567,50 CUP.', 'Es obligatorio.']);
});

it('never takes a value for a pattern of its own', () => {
  const tricky = { template: 'Es {name}.', values: [{ name: 'name', kind: 'text', value: '$& $1' }] };
  expect(messageOf(tricky)).toBe('Es $& $1.');
});
