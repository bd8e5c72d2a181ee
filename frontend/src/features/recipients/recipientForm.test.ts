import { expect, it } from 'vitest';
import { recipientBody, recipientSchema, recipientValues } from './recipientForm';

const filled = {
  ...recipientValues(null, 'issuer-1'),
  name: 'Berta',
  lastName: 'Díaz',
  phoneNumber: '+5352345678',
};

it('keeps the chosen brand of a CUP card, in MLC and not the default', () => {
  const values = {
    ...filled,
    brands: ['bpa_cup'],
    numbers: { ...filled.numbers, bpa_cup: '9202 1234 5678 9012' },
  };
  expect(recipientSchema.safeParse(values).success).toBe(true);
  expect(recipientBody(null, values).card).toEqual([
    { brand: 'bpa_cup', cardNumber: '9202123456789012', currency: 'MLC', isDefault: false },
  ]);
});

it('wants sixteen digits of the chosen brand for each chosen brand, and nothing of the others', () => {
  const faults = (numbers: Record<string, string>, brands: string[]) => {
    const read = recipientSchema.safeParse({ ...filled, brands, numbers: { ...filled.numbers, ...numbers } });
    return read.success ? [] : read.error.issues.map(({ path, message }) => [path.join('.'), message]);
  };
  expect(faults({ bm_mlc: '9225 95' }, ['bm_mlc'])).toEqual([['numbers.bm_mlc', 'entities:card.digits']]);
  expect(faults({ bm_mlc: '9225061234567890' }, ['bm_mlc'])).toEqual([
    ['numbers.bm_mlc', 'entities:card.otherBrand'],
  ]);
  expect(faults({ bm_mlc: '9225 95' }, [])).toEqual([]);
});

it('names no document type without a number', () => {
  expect(recipientBody(null, filled).personalIdentificationType).toBeNull();
  expect(
    recipientBody(null, { ...filled, personalIdentificationNumber: '75010112345' })
      .personalIdentificationType,
  ).toBe(0);
});
