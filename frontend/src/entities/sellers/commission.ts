import type { Commission, CommissionInput, UtilityType } from '~/api';
import { isPositive } from '~/shared/lib/decimal';
import { z } from '~/shared/lib/zod';
import { percentage } from '../limits';

const PERCENTAGE = 1;

/** A commission as a form holds it: the percentage is needed; the floor is optional, and then whole. */
export const commissionFields = {
  rate: percentage,
  utilityType: z.string(),
  minimalAmount: z.string().refine((value) => value === '' || isPositive(value), 'common:errors.positive'),
  utilityValue: z.string(),
};

interface Floor {
  minimalAmount: string;
  utilityValue: string;
}

/** Names the half of a floor that is missing; null when it is whole or absent. */
export function missingFloor({ minimalAmount, utilityValue }: Floor): keyof Floor | null {
  if (minimalAmount !== '' && utilityValue === '') return 'utilityValue';
  if (minimalAmount === '' && utilityValue !== '') return 'minimalAmount';
  return null;
}

export const commissionSchema = z.object(commissionFields).check(({ value, issues }) => {
  const missing = missingFloor(value);
  if (missing)
    issues.push({ code: 'custom', path: [missing], message: 'common:errors.required', input: value });
});
export type CommissionValues = z.input<typeof commissionSchema>;

/** A commission in a form. */
export function commissionValues(commission: Commission | null | undefined): CommissionValues {
  return {
    rate: commission?.rate ?? '',
    utilityType: String(commission?.utilityType ?? PERCENTAGE),
    minimalAmount: commission?.minimalAmount ?? '',
    utilityValue: commission?.utilityValue ?? '',
  };
}

/** A form's commission as a request carries it. */
export function commissionBody(values: CommissionValues): Required<CommissionInput> {
  return {
    rate: values.rate,
    utilityType: (Number(values.utilityType) === PERCENTAGE ? PERCENTAGE : 0) as UtilityType,
    minimalAmount: values.minimalAmount || null,
    utilityValue: values.utilityValue || null,
  };
}
