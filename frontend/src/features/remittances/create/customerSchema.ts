import { LIMITS } from '~/api';
import { z } from '~/shared/lib/zod';

const LONGEST = LIMITS.CustomerInput;
const name = z.string().trim().max(LONGEST.name, 'common:errors.tooLong');
const required = name.min(1, 'common:errors.required');

/** A person who is entered within the sale. */
export const customerSchema = z.object({
  name: required,
  lastName: required,
  secondSurname: name,
  phoneNumber: required,
  personalIdentificationNumber: name,
  addressLine: z.string().trim().max(LONGEST.addressLine, 'common:errors.tooLong'),
  provinceId: z.string().nullable(),
  municipalityId: z.string().nullable(),
});
/** A home delivery must know where to go. */
export const homeSchema = customerSchema.extend({
  addressLine: customerSchema.shape.addressLine.min(1, 'common:errors.required'),
  provinceId: customerSchema.shape.provinceId.refine((id) => id !== null, 'common:errors.required'),
  municipalityId: customerSchema.shape.municipalityId.refine((id) => id !== null, 'common:errors.required'),
});
export type NewCustomerValues = z.infer<typeof customerSchema>;
