import type { PartyTermsInput } from '~/api';
import { z } from '~/shared/lib/zod';
import { newSellerSchema, sellerValues } from './sellerForm';
import { type SellerKind, type TermsValues, termsBody, termsSchema } from './termsForm';

/** A seller that is made with its terms. */
export const newSellerWithTerms = newSellerSchema.extend({ terms: z.array(termsSchema) });

export function emptySeller() {
  return { ...sellerValues(), terms: [] as TermsValues[] };
}

/** The terms that a seller is made with, as its request carries them. */
export function termsBodies(kind: SellerKind, terms: TermsValues[]): PartyTermsInput[] {
  return terms.map((one) => termsBody(kind, one));
}
