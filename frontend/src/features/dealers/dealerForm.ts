import type { DEALER_TYPE, Dealer, DealerInput, DeliveryManInput } from '~/api';
import { chosen, email, optionalText, orNull, requiredText } from '~/entities/limits';
import { newPassword, otherPassword } from '~/entities/parties/PasswordFields';
import { z } from '~/shared/lib/zod';

export type DealerKind = typeof DEALER_TYPE.dealer | typeof DEALER_TYPE.deliveryMan;

const line = optionalText('line');
const fields = z.object({
  name: requiredText('partyName'),
  email,
  password: otherPassword,
  identificationNumber: line,
  phoneNumber: line,
  license: line,
  isActive: z.boolean(),
  handleMLC: z.boolean(),
  addressLine1: line,
  addressLine2: line,
  addressLine3: line,
  /** A delivery man's dealer, chosen by the manager. */
  dealerId: z.string().nullable(),
  provinceId: z.string().nullable(),
  municipality: line,
  zones: z.array(z.string()),
});
export type DealerValues = z.input<typeof fields>;

/** The rules: a new one needs a password, and a manager's delivery man a dealer. */
export function dealerSchema(isNew: boolean, choosesDealer: boolean) {
  return fields.extend({
    ...(isNew && { password: newPassword }),
    ...(choosesDealer && { dealerId: chosen }),
  }) as typeof fields;
}

export function dealerValues(dealer: Dealer | null): DealerValues {
  return {
    name: dealer?.name ?? '',
    email: dealer?.email ?? '',
    password: '',
    identificationNumber: dealer?.identificationNumber ?? '',
    phoneNumber: dealer?.phoneNumber ?? '',
    license: dealer?.license ?? '',
    isActive: dealer?.isActive ?? true,
    handleMLC: dealer?.handleMLC ?? false,
    addressLine1: dealer?.addressLine1 ?? '',
    addressLine2: dealer?.addressLine2 ?? '',
    addressLine3: dealer?.addressLine3 ?? '',
    dealerId: dealer?.dealerId ?? null,
    provinceId: dealer?.provinceId ?? null,
    municipality: dealer?.municipality ?? '',
    zones: (dealer?.zones ?? []).map(({ id }) => id),
  };
}

/** What dealers and delivery men have in common; what the form does not show goes back as it was. */
function common(dealer: Dealer | null, values: DealerValues) {
  return {
    name: values.name,
    email: values.email,
    ...(values.password && { password: values.password }),
    identificationNumber: orNull(values.identificationNumber),
    phoneNumber: orNull(values.phoneNumber),
    license: orNull(values.license),
    addressLine1: orNull(values.addressLine1),
    addressLine2: orNull(values.addressLine2),
    addressLine3: orNull(values.addressLine3),
    municipality: orNull(values.municipality),
    phone2: dealer?.phone2 ?? null,
    country: dealer?.country ?? null,
    zipcode: dealer?.zipcode ?? null,
    handleMLC: values.handleMLC,
    isActive: values.isActive,
  };
}

/** A dealer as a request. */
export function dealerBody(dealer: Dealer | null, values: DealerValues): DealerInput {
  return {
    ...common(dealer, values),
    password: values.password,
    ...(values.provinceId && { provinceId: values.provinceId }),
    zones: values.zones,
  };
}

/** A delivery man as a request; province and zones are his dealer's. */
export function deliveryManBody(dealer: Dealer | null, values: DealerValues): DeliveryManInput {
  return {
    ...common(dealer, values),
    password: values.password,
    ...(!dealer && values.dealerId && { dealerId: values.dealerId }),
  };
}

/** A body of a change: no password where none was typed. */
export function change<Body extends { password?: string }>({ password, ...body }: Body) {
  return { ...body, ...(password && { password }) };
}
