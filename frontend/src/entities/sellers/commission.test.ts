import { expect, it } from 'vitest';
import { commissionBody, commissionSchema, commissionValues, missingFloor } from './commission';

it('goes to the form and back unchanged', () => {
  const commission = { rate: '5', utilityType: 0, minimalAmount: '50.00', utilityValue: '4' } as const;
  expect(commissionBody(commissionValues(commission))).toEqual(commission);
  expect(
    commissionBody(commissionValues({ ...commission, minimalAmount: null, utilityValue: null })),
  ).toEqual({ rate: '5', utilityType: 0, minimalAmount: null, utilityValue: null });
});

it('requires a floor complete or absent', () => {
  expect(missingFloor({ minimalAmount: '50', utilityValue: '' })).toBe('utilityValue');
  expect(missingFloor({ minimalAmount: '', utilityValue: '4' })).toBe('minimalAmount');
  expect(missingFloor({ minimalAmount: '', utilityValue: '' })).toBeNull();
});

it('takes a discount and refuses more than all of it', () => {
  const of = (rate: string) => commissionSchema.safeParse({ ...commissionValues(null), rate }).success;
  expect(of('-2.5')).toBe(true);
  expect(of('-101')).toBe(false);
  expect(of('')).toBe(false);
});
