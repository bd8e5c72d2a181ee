import { describe, expect, it } from 'vitest';
import { remittance } from '../../../../tests/mocks/data';
import { changesOf, valuesOf } from './EditDetailsDialog';

const home = remittance(1, {
  deliveryMethod: 'home',
  address: {
    addressLine: 'Calle 23 #101',
    provinceId: 'habana',
    province: 'La Habana',
    municipalityId: 'playa',
    municipality: 'Playa',
  },
  card: null,
  notes: 'Tocar fuerte',
});

describe('an edit of details', () => {
  it('sends no unchanged field', () => {
    expect(changesOf(home, valuesOf(home))).toEqual({});
  });

  it('gives, changes and takes away the reference alone', () => {
    expect(changesOf(home, { ...valuesOf(home), reference: 'F-7' })).toEqual({ reference: 'F-7' });
    const named = { ...home, reference: 'F-7' };
    expect(changesOf(named, { ...valuesOf(named), reference: '' })).toEqual({ reference: null });
    expect(changesOf(named, valuesOf(named))).toEqual({});
  });

  it('goes back to the recipient’s own address, and takes notes away, where they are emptied', () => {
    expect(changesOf(home, { ...valuesOf(home), address: '', notes: '' })).toEqual({
      address: null,
      notes: null,
    });
  });

  it('sends another place whole, and no place with a card', () => {
    const moved = { ...valuesOf(home), municipalityId: 'cerro' };
    expect(changesOf(home, moved)).toEqual({ municipalityId: 'cerro', provinceId: 'habana' });
    const card = { ...moved, deliveryMethod: 'card' as const, cardId: 'card-1', address: 'elsewhere' };
    expect(changesOf(home, card)).toEqual({ deliveryMethod: 'card', cardId: 'card-1' });
  });

  it('leaves the place to the new recipient unless one is named', () => {
    const other = {
      ...valuesOf(home),
      recipientId: 'other',
      address: '',
      provinceId: null,
      municipalityId: null,
    };
    expect(changesOf(home, other)).toEqual({ recipientId: 'other', address: null });
  });
});
