import type { Customer } from '~/api';
import { foldText } from '~/shared/lib/foldText';

/** What a form holds of a person, as far as it tells the same person. */
export interface Person {
  name?: string | null;
  lastName?: string | null;
  secondSurname?: string | null;
  phoneNumber?: string | null;
  personalIdentificationNumber?: string | null;
  /** A recipient's municipality. */
  municipalityId?: string | null;
  /** An issuer's city, as free text. */
  municipality?: string | null;
}

/** By what a customer is like the person typed. */
export type Likeness = 'phone' | 'identification' | 'name';

/** Telephones are written with and without the country's code: these many last digits tell them. */
const PHONE_DIGITS = 8;
/** Fewer digits are still being typed. */
const SHORTEST_PHONE = 7;
const SHORTEST_DOCUMENT = 5;

const digits = (text: string | null | undefined) => (text ?? '').replace(/\D/g, '');
const plain = (text: string | null | undefined) => foldText(text ?? '').replace(/[^\p{L}\p{N}]/gu, '');
const fullName = (person: Person) =>
  [person.name, person.lastName, person.secondSurname]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' ');

/** What to search for by each likeness; null while too little is typed. */
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

/** By what a customer is like the person typed: telephone, document, or name and place. */
export function likenesses(person: Person, customer: Customer): Likeness[] {
  const found: Likeness[] = [];
  const sought = soughtBy(person);
  const phone = digits(customer.phoneNumber);
  if (sought.phone && phone.length >= SHORTEST_PHONE) {
    const length = Math.min(sought.phone.length, phone.length);
    if (phone.slice(-length) === sought.phone.slice(-length)) found.push('phone');
  }
  const document = plain(customer.personalIdentificationNumber);
  if (sought.identification && document === plain(person.personalIdentificationNumber)) {
    found.push('identification');
  }
  const place = person.municipalityId
    ? customer.municipalityId === person.municipalityId
    : plain(person.municipality) === plain(customer.municipalityId ? '' : customer.municipality);
  if (sought.name && place && plain(customer.fullName) === plain(sought.name)) found.push('name');
  return found;
}

/** The customers of several searches who are like the person typed, each once, with by what. */
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
