import type { Customer, CustomerInput } from '~/api';

/** Details that a form may not show. */
type Carried = Pick<
  Customer,
  | 'personalIdentificationNumber'
  | 'personalIdentificationType'
  | 'personalIdentificationExpirationDate'
  | 'personalIdentificationIssueDate'
  | 'personalIdentificationCountry'
  | 'email'
  | 'zipCode'
  | 'country'
  | 'province'
  | 'municipality'
  | 'addressLine'
  | 'repart'
  | 'alternativeName'
  | 'alternativeLastName'
  | 'alternativePersonalIdentificationNumber'
  | 'alternativePhoneNumber'
>;

/**
 * Details to send back unchanged, because a change replaces all of them. A recipient's province and municipality are
 * sent as ids.
 */
export function carried(customer: Customer | null): Partial<Carried> & Partial<CustomerInput> {
  if (!customer) return {};
  const issuer = customer.customerType === 0;
  return {
    personalIdentificationNumber: customer.personalIdentificationNumber,
    personalIdentificationType: customer.personalIdentificationType,
    personalIdentificationExpirationDate: customer.personalIdentificationExpirationDate,
    personalIdentificationIssueDate: customer.personalIdentificationIssueDate,
    personalIdentificationCountry: customer.personalIdentificationCountry,
    email: customer.email,
    zipCode: customer.zipCode,
    country: customer.country,
    ...(issuer && { province: customer.province, municipality: customer.municipality }),
    addressLine: customer.addressLine,
    repart: customer.repart,
    alternativeName: customer.alternativeName,
    alternativeLastName: customer.alternativeLastName,
    alternativePersonalIdentificationNumber: customer.alternativePersonalIdentificationNumber,
    alternativePhoneNumber: customer.alternativePhoneNumber,
  };
}
