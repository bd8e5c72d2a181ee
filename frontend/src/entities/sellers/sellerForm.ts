import type { Agency } from '~/api';
import { z } from '~/shared/lib/zod';
import { email, optionalText, orNull, requiredText } from '../limits';
import { newPassword, otherPassword } from '../parties/PasswordFields';

const line = optionalText('line');
const fields = {
  name: requiredText('partyName'),
  email,
  phone: line,
  addressLine1: line,
  addressLine2: line,
  addressLine3: line,
  country: z.string().nullable(),
  province: line,
  city: line,
  zip: line,
  profilePicture: z.string().nullable(),
  isActive: z.boolean(),
};

/** An agency's or agent's data; a new one needs a password, a present one keeps its own when none is typed. */
export const newSellerSchema = z.object({ ...fields, password: newPassword });
export const sellerSchema = z.object({ ...fields, password: otherPassword });
export type SellerValues = z.input<typeof sellerSchema>;
export type SellerData = z.output<typeof sellerSchema>;

/** What an agency and an agent have in common. */
type Seller = Pick<
  Agency,
  | 'name'
  | 'email'
  | 'phone'
  | 'addressLine1'
  | 'addressLine2'
  | 'addressLine3'
  | 'country'
  | 'province'
  | 'city'
  | 'zip'
  | 'profilePicture'
  | 'isActive'
>;

/** The form of a seller; an empty one for a new seller. */
export function sellerValues(seller?: Seller): SellerValues {
  return {
    name: seller?.name ?? '',
    email: seller?.email ?? '',
    password: '',
    phone: seller?.phone ?? '',
    addressLine1: seller?.addressLine1 ?? '',
    addressLine2: seller?.addressLine2 ?? '',
    addressLine3: seller?.addressLine3 ?? '',
    country: seller?.country ?? null,
    province: seller?.province ?? '',
    city: seller?.city ?? '',
    zip: seller?.zip ?? '',
    profilePicture: seller?.profilePicture ?? null,
    isActive: seller?.isActive ?? true,
  };
}

/** What a request carries of the form; no password where none was typed. */
export function sellerBody({ password, ...data }: SellerData) {
  return {
    ...data,
    phone: orNull(data.phone),
    addressLine1: orNull(data.addressLine1),
    addressLine2: orNull(data.addressLine2),
    addressLine3: orNull(data.addressLine3),
    province: orNull(data.province),
    city: orNull(data.city),
    zip: orNull(data.zip),
    ...(password && { password }),
  };
}
