import type { CardBrand, Customer, CustomerInput } from '~/api';
import { brandOf, CARD_BRANDS, CARD_DIGITS, groupDigits, prefixOf } from '~/entities/cards/brands';
import { carried } from '~/entities/customers/carry';
import { identificationValue, impliesCountry, readIdentification } from '~/entities/customers/identification';
import { chosen, optionalText, orNull, requiredText } from '~/entities/limits';
import { z } from '~/shared/lib/zod';

const RECIPIENT = 1;
const digits = (text: string) => text.replace(/\D/g, '');

/** A brand's prefix as the box for its number begins. */
export function firstDigits(brand: CardBrand): string {
  return groupDigits(prefixOf(brand));
}

export const recipientSchema = z
  .object({
    senderId: chosen,
    name: requiredText('name'),
    lastName: requiredText('name'),
    secondSurname: optionalText('name'),
    phoneNumber: requiredText('short'),
    isActive: z.boolean(),
    brands: z.array(z.string()),
    /** A number for each brand; only those of the chosen brands count. */
    numbers: z.record(z.string(), z.string()),
    addressLine: optionalText('address'),
    provinceId: z.string().nullable(),
    municipalityId: z.string().nullable(),
    alternativeName: optionalText('name'),
    alternativeLastName: optionalText('name'),
    alternativePersonalIdentificationNumber: optionalText('short'),
    alternativePhoneNumber: optionalText('short'),
    repart: optionalText('name'),
    personalIdentificationType: z.string().nullable(),
    personalIdentificationNumber: optionalText('short'),
    personalIdentificationCountry: z.string().nullable(),
  })
  .check(({ value, issues }) => {
    for (const brand of value.brands) {
      const number = digits(value.numbers[brand] ?? '');
      const wrong =
        number.length !== CARD_DIGITS
          ? 'entities:card.digits'
          : brandOf(number) !== brand
            ? 'entities:card.otherBrand'
            : null;
      if (wrong)
        issues.push({ code: 'custom', path: ['numbers', brand], message: wrong, input: value.numbers });
    }
  });
export type RecipientValues = z.input<typeof recipientSchema>;

export const TRANSFER_FIELDS = [
  'senderId',
  'name',
  'lastName',
  'secondSurname',
  'phoneNumber',
  'isActive',
  'brands',
  'numbers',
] as const;
export const HOME_FIELDS = [
  'senderId',
  'name',
  'lastName',
  'secondSurname',
  'phoneNumber',
  'isActive',
  'addressLine',
  'provinceId',
  'municipalityId',
] as const;
export const OPTIONAL_FIELDS = [
  'alternativeName',
  'alternativeLastName',
  'alternativePersonalIdentificationNumber',
  'alternativePhoneNumber',
  'repart',
  'provinceId',
  'municipalityId',
  'addressLine',
  'personalIdentificationType',
  'personalIdentificationNumber',
  'personalIdentificationCountry',
] as const;

export function recipientValues(recipient: Customer | null, issuer: string | null): RecipientValues {
  return {
    senderId: recipient?.senderId ?? issuer,
    name: recipient?.name ?? '',
    lastName: recipient?.lastName ?? '',
    secondSurname: recipient?.secondSurname ?? '',
    phoneNumber: recipient?.phoneNumber ?? '',
    isActive: recipient?.isActive ?? true,
    brands: [],
    numbers: Object.fromEntries(CARD_BRANDS.map((brand) => [brand, ''])),
    addressLine: recipient?.addressLine ?? '',
    provinceId: recipient?.provinceId ?? null,
    municipalityId: recipient?.municipalityId ?? null,
    alternativeName: recipient?.alternativeName ?? '',
    alternativeLastName: recipient?.alternativeLastName ?? '',
    alternativePersonalIdentificationNumber: recipient?.alternativePersonalIdentificationNumber ?? '',
    alternativePhoneNumber: recipient?.alternativePhoneNumber ?? '',
    repart: recipient?.repart ?? '',
    personalIdentificationType: identificationValue(recipient?.personalIdentificationType ?? 0),
    personalIdentificationNumber: recipient?.personalIdentificationNumber ?? '',
    personalIdentificationCountry: recipient?.personalIdentificationCountry ?? null,
  };
}

/** The form as a request; cards that are kept already are not sent again. */
export function recipientBody(recipient: Customer | null, values: RecipientValues): CustomerInput {
  const cards = CARD_BRANDS.filter((brand) => values.brands.includes(brand)).map((brand) => ({
    brand,
    cardNumber: digits(values.numbers[brand] ?? ''),
    currency: 'MLC',
    isDefault: false,
  }));
  const number = orNull(values.personalIdentificationNumber);
  const hasCountry = number !== null && !impliesCountry(values.personalIdentificationType);
  const body = {
    ...carried(recipient),
    customerType: RECIPIENT as 1,
    ...(recipient ? {} : { senderId: values.senderId }),
    name: values.name,
    lastName: orNull(values.lastName),
    secondSurname: orNull(values.secondSurname),
    phoneNumber: orNull(values.phoneNumber),
    isActive: values.isActive,
    addressLine: orNull(values.addressLine),
    provinceId: values.provinceId,
    municipalityId: values.municipalityId,
    alternativeName: orNull(values.alternativeName),
    alternativeLastName: orNull(values.alternativeLastName),
    alternativePersonalIdentificationNumber: orNull(values.alternativePersonalIdentificationNumber),
    alternativePhoneNumber: orNull(values.alternativePhoneNumber),
    repart: orNull(values.repart),
    personalIdentificationNumber: number,
    personalIdentificationType: number ? readIdentification(values.personalIdentificationType) : null,
    personalIdentificationCountry: hasCountry ? values.personalIdentificationCountry : null,
    ...(cards.length > 0 && { card: cards }),
  };
  return body;
}
