import { describe, expect, it } from 'vitest';
import type { Customer } from '~/api';
import { alike, soughtBy } from './alike';

const known = (over: Partial<Customer>): Customer =>
  ({
    id: 'a',
    fullName: 'María Núñez Pérez',
    phoneNumber: '+53 5123 4567',
    personalIdentificationNumber: '85010112345',
    municipalityId: 'playa',
    municipality: 'Playa',
    ...over,
  }) as Customer;

describe('customers like the one being typed', () => {
  it('are found by telephone, with or without the country code, and by document', () => {
    const found = alike({ phoneNumber: '51234567' }, [known({})]);
    expect(found).toMatchObject([{ customer: { id: 'a' }, by: ['phone'] }]);
    expect(alike({ phoneNumber: '5351234567' }, [known({ phoneNumber: '5123-4567' })])).toHaveLength(1);
    expect(alike({ phoneNumber: '51234568' }, [known({})])).toHaveLength(0);
    expect(alike({ personalIdentificationNumber: '850101 12345' }, [known({})])).toMatchObject([
      { by: ['identification'] },
    ]);
  });

  it('are not found by the number of another country’s document, and are where one says no country', () => {
    const spanish = known({
      personalIdentificationNumber: 'X123456',
      personalIdentificationCountry: 'ES',
    });
    const of = (personalIdentificationCountry: string | null) =>
      alike({ personalIdentificationNumber: 'x123456', personalIdentificationCountry }, [spanish]);
    expect([of('ES'), of(null), of('IT')].map((found) => found.length)).toEqual([1, 1, 0]);
  });

  it('are found by name only in the same place, regardless of accents', () => {
    const typed = { name: 'maria', lastName: 'nunez', secondSurname: 'PEREZ' };
    expect(alike({ ...typed, municipalityId: 'playa' }, [known({})])).toMatchObject([{ by: ['name'] }]);
    expect(alike({ ...typed, municipalityId: 'cerro' }, [known({})])).toHaveLength(0);
    const issuer = known({ municipalityId: null, municipality: 'Miami' });
    expect(alike({ ...typed, municipality: 'miami' }, [issuer])).toHaveLength(1);
    expect(alike({ ...typed, municipality: 'Tampa' }, [issuer])).toHaveLength(0);
  });

  it('are found by name alone where the form asks for no place, among those without a municipality', () => {
    const typed = { name: 'maria', lastName: 'nunez', secondSurname: 'PEREZ' };
    expect(alike(typed, [known({ municipalityId: null, municipality: 'Miami' })])).toHaveLength(1);
    expect(alike(typed, [known({})])).toHaveLength(0);
  });

  it('are listed once each, without the customer that is being changed', () => {
    expect(alike({ phoneNumber: '51234567' }, [known({}), known({})])).toHaveLength(1);
    expect(alike({ phoneNumber: '51234567' }, [known({})], 'a')).toHaveLength(0);
  });

  it('are not searched for while too little is typed', () => {
    expect(soughtBy({ name: 'Ana', phoneNumber: '5123', personalIdentificationNumber: '85' })).toEqual({
      phone: null,
      identification: null,
      name: null,
    });
  });
});
