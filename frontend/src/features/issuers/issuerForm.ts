import type { Customer, CustomerInput } from '~/api';
import { carried } from '~/entities/customers/carry';
import { identificationValue, impliesCountry, readIdentification } from '~/entities/customers/identification';
import { chosen, optionalText, orNull, requiredText } from '~/entities/limits';
import { z } from '~/shared/lib/zod';

const fields = z.object({
  name: requiredText('name'),
  lastName: requiredText('name'),
  secondSurname: optionalText('name'),
  agencyId: z.string().nullable(),
  phoneNumber: requiredText('short'),
  isActive: z.boolean(),
  country: z.string().nullable(),
  province: optionalText('name'),
  municipality: optionalText('name'),
  zipCode: optionalText('short'),
  personalIdentificationType: z.string().nullable(),
  personalIdentificationNumber: optionalText('short'),
  personalIdentificationCountry: z.string().nullable(),
  personalIdentificationIssueDate: z.string(),
  personalIdentificationExpirationDate: z.string(),
  addressLine: optionalText('address'),
});
export type IssuerValues = z.input<typeof fields>;

export const REQUIRED_FIELDS = [
  'name',
  'lastName',
  'secondSurname',
  'agencyId',
  'phoneNumber',
  'isActive',
  'country',
  'province',
  'municipality',
  'zipCode',
] as const;
export const OPTIONAL_FIELDS = [
  'personalIdentificationType',
  'personalIdentificationNumber',
  'personalIdentificationCountry',
  'personalIdentificationIssueDate',
  'personalIdentificationExpirationDate',
  'addressLine',
] as const;

/** The rules; who chooses whose issuer it is must do so. */
export function issuerSchema(mustChooseOwner: boolean) {
  return mustChooseOwner ? fields.extend({ agencyId: chosen }) : fields;
}

/** The country that most issuers live in. */
const USUAL_COUNTRY = 'US';
const SENDER = 0;

export function issuerValues(issuer: Customer | null, owner: string | null): IssuerValues {
  return {
    name: issuer?.name ?? '',
    lastName: issuer?.lastName ?? '',
    secondSurname: issuer?.secondSurname ?? '',
    agencyId: issuer?.agencyId ?? owner,
    phoneNumber: issuer?.phoneNumber ?? '',
    isActive: issuer?.isActive ?? true,
    country: issuer ? issuer.country : USUAL_COUNTRY,
    province: issuer?.province ?? '',
    municipality: issuer?.municipality ?? '',
    zipCode: issuer?.zipCode ?? '',
    personalIdentificationType: identificationValue(issuer?.personalIdentificationType ?? null),
    personalIdentificationNumber: '',
    personalIdentificationCountry: issuer?.personalIdentificationCountry ?? null,
    personalIdentificationIssueDate: issuer?.personalIdentificationIssueDate ?? '',
    personalIdentificationExpirationDate: issuer?.personalIdentificationExpirationDate ?? '',
    addressLine: issuer?.addressLine ?? '',
  };
}

/** The form as a request. It has no inputs for alias and alternative name: both are the name. */
export function issuerBody(
  issuer: Customer | null,
  values: IssuerValues,
  owner: string | null,
): CustomerInput {
  const body = {
    ...carried(issuer),
    customerType: SENDER as 0,
    name: values.name,
    // The server keeps them the name's; a change of the name is one change.
    ...(!issuer && { alias: values.name, alternativeName: values.name }),
    lastName: orNull(values.lastName),
    secondSurname: orNull(values.secondSurname),
    phoneNumber: orNull(values.phoneNumber),
    isActive: values.isActive,
    country: values.country,
    province: orNull(values.province),
    municipality: orNull(values.municipality),
    zipCode: orNull(values.zipCode),
    personalIdentificationCountry: impliesCountry(values.personalIdentificationType)
      ? null
      : values.personalIdentificationCountry,
    personalIdentificationIssueDate: orNull(values.personalIdentificationIssueDate),
    personalIdentificationExpirationDate: orNull(values.personalIdentificationExpirationDate),
    addressLine: orNull(values.addressLine),
    ...(owner && !issuer && { agencyId: owner }),
    ...(!issuer &&
      values.personalIdentificationNumber && {
        personalIdentificationNumber: values.personalIdentificationNumber,
        personalIdentificationType: readIdentification(values.personalIdentificationType),
      }),
  };
  return body;
}
