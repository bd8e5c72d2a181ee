import type { ProfilePaymentGroup, TermsInput } from '~/api';
import { isNegative } from '~/shared/lib/decimal';
import { z } from '~/shared/lib/zod';
import { chosen, optionalText, rate } from '../limits';
import { commissionBody, commissionSchema, commissionValues } from './commission';

export type SellerKind = 'agency' | 'agent';

/** A party's terms for one group, set from above. */
export const termsSchema = z.object({
  paymentGroupId: chosen,
  name: optionalText('name'),
  exchangeRate: rate,
  commission: commissionSchema,
  creditLimit: z.string().refine((value) => !isNegative(value), 'common:errors.positive'),
  isActive: z.boolean(),
});
export type TermsValues = z.input<typeof termsSchema>;

/** What a seller is offered: a group of the catalogue, or of its agency, whose figures its own begin with. */
export interface OfferedGroup {
  id: string;
  name: string;
  currencyTo: string;
  exchangeRate: string | null;
  commission: Parameters<typeof commissionValues>[0];
}

/** A party's terms in the form. */
export function termsValues(kind: SellerKind, terms: ProfilePaymentGroup | null): TermsValues {
  const commission = kind === 'agency' ? terms?.agencyCommission : terms?.agentCommission;
  return {
    paymentGroupId: terms?.paymentGroupId ?? null,
    name: terms?.groupName ?? '',
    exchangeRate: terms?.exchangeRate ?? '',
    commission: commissionValues(commission),
    creditLimit: terms?.creditLimit ?? '0.00',
    isActive: terms?.isActive ?? true,
  };
}

/** The form as the calls take it: those that set terms, and those that make a seller with them. */
export function termsBody(kind: SellerKind, values: TermsValues): TermsInput {
  return {
    paymentGroupId: values.paymentGroupId ?? '',
    ...(values.name && { name: values.name }),
    exchangeRate: values.exchangeRate,
    creditLimit: values.creditLimit || '0',
    isActive: values.isActive,
    [kind === 'agency' ? 'agencyCommission' : 'agentCommission']: commissionBody(values.commission),
  };
}
