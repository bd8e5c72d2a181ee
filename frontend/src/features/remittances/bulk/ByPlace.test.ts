import { expect, it } from 'vitest';
import { remittance } from '../../../../tests/mocks/data';
import { placesOf } from './ByPlace';

it('groups the deliveries of a municipality, without card transfers', () => {
  const at = (municipality: string) => ({
    addressLine: 'Calle 23',
    provinceId: 'p',
    province: 'La Habana',
    municipalityId: municipality,
    municipality,
  });
  const rows = [
    remittance(1, { address: at('Playa') }),
    remittance(2, { address: at('Cerro') }),
    remittance(3, { address: at('Playa') }),
    remittance(4, { address: null }),
  ];
  const found = placesOf(rows, 'es-ES').map(({ name, rows: here }) => [name, here.length]);
  expect(found).toEqual([
    ['Cerro, La Habana', 1],
    ['Playa, La Habana', 2],
  ]);
});
