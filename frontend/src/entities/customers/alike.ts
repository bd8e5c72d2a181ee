import type { Customer } from '~/api';
import { foldText } from '~/shared/lib/foldText';

/** Fields of a form that identify a person. */
export interface Person {
  name?: string | null;
  lastName?: string | null;
  secondSurname?: string | null;
  phoneNumber?: string | null;
  personalIdentificationNumber?: string | null;
  /** Country of the document, which two documents with one number may not share. */
  personalIdentificationCountry?: string | null;
  /** Municipality id of a recipient. */
  municipalityId?: string | null;
  /** City of an issuer, as text. */
  municipality?: string | null;
}

/** Property in which a customer matches. */
export type Likeness = 'phone' | 'identification' | 'name';

/** Trailing digits compared, because country codes are optional. */
const PHONE_DIGITS = 8;
/** Minimum digits for a search. */
const SHORTEST_PHONE = 7;
const SHORTEST_DOCUMENT = 5;

const digits = (text: string | null | undefined) => (text ?? '').replace(/\D/g, '');
const plain = (text: string | null | undefined) => foldText(text ?? '').replace(/[^\p{L}\p{N}]/gu, '');
const fullName = (person: Person) =>
  [person.name, person.lastName, person.secondSurname]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' ');

/** Search text per property; null while too short. */
export function soughtBy(person: Person): Record<Likeness, string | null> {
  const phone = digits(person.phoneNumber);
  const document = plain(person.personalIdentificationNumber);
  return {
    phone: phone.length >= SHORTEST_PHONE ? phone.slice(-PHONE_DIGITS) : null,
    identification:
      document.length >= SHORTEST_DOCUMENT ? (person.personalIdentificationNumber?.trim() ?? null) : null,
    name: person.name?.trim() && person.lastName?.trim() ? fullName(person) : null,
  };
}

/** Properties in which a customer matches: telephone, document, or name and place. */
export function likenesses(person: Person, customer: Customer): Likeness[] {
  const found: Likeness[] = [];
  const sought = soughtBy(person);
  const phone = digits(customer.phoneNumber);
  if (sought.phone && phone.length >= SHORTEST_PHONE) {
    const length = Math.min(sought.phone.length, phone.length);
    if (phone.slice(-length) === sought.phone.slice(-length)) found.push('phone');
  }
  const document = plain(customer.personalIdentificationNumber);
  const countries = [person.personalIdentificationCountry, customer.personalIdentificationCountry];
  const otherCountry = countries.every(Boolean) && countries[0] !== countries[1];
  if (sought.identification && !otherCountry && document === plain(person.personalIdentificationNumber)) {
    found.push('identification');
  }
  const city = plain(person.municipality);
  // An issuer without a city, as the sale's short form makes one, is like any issuer of the name.
  const place = person.municipalityId
    ? customer.municipalityId === person.municipalityId
    : !customer.municipalityId && (!city || city === plain(customer.municipality));
  if (sought.name && place && plain(customer.fullName) === plain(sought.name)) found.push('name');
  return found;
}

/** Matching customers of several searches, deduplicated, with the matching properties. */
export function alike(
  person: Person,
  customers: Customer[],
  except?: string,
): { customer: Customer; by: Likeness[] }[] {
  const once = new Map(customers.map((customer) => [customer.id, customer]));
  return [...once.values()]
    .filter(({ id }) => id !== except)
    .map((customer) => ({ customer, by: likenesses(person, customer) }))
    .filter(({ by }) => by.length > 0);
}
