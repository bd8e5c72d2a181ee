import { LIMITS } from '~/api';
import { isPositive } from '~/shared/lib/decimal';
import { z } from '~/shared/lib/zod';

const LONGEST = LIMITS.RemittanceInput;
const chosen = z
  .string()
  .nullable()
  .refine((id) => id !== null, 'common:errors.required');

/** The new remittance's form. Of amount and payout one is typed (`side`) and the other quoted. */
export const remittanceSchema = z
  .object({
    /** `agency:id` or `agent:id`; a manager's choice, unused by other roles. */
    seller: z.string().nullable(),
    senderId: chosen,
    recipientId: chosen,
    paymentGroupId: chosen,
    deliveryMethod: z.enum(['home', 'card']),
    cardId: z.string().nullable(),
    side: z.enum(['amount', 'payout']),
    amount: z.string(),
    payout: z.string(),
    reference: z.string().trim().max(LONGEST.reference, 'common:errors.tooLong'),
    notes: z.string().trim().max(LONGEST.notes, 'common:errors.tooLong'),
    purpose: z.string().trim().max(LONGEST.purpose, 'common:errors.tooLong'),
    sourceOfFunds: z.string().trim().max(LONGEST.sourceOfFunds, 'common:errors.tooLong'),
  })
  .check(({ value, issues }) => {
    const blame = (path: string, message: string) =>
      issues.push({ code: 'custom', path: [path], message, input: value });
    if (!isPositive(value[value.side])) blame(value.side, 'common:errors.positive');
    if (value.deliveryMethod === 'card' && value.cardId === null) blame('cardId', 'common:errors.required');
  });

export type RemittanceValues = z.input<typeof remittanceSchema>;
/** What is sent of it: everything chosen that must be. */
export type SaleValues = z.output<typeof remittanceSchema>;
/** The part of a form that is quoted. */
export type AmountValues = Pick<RemittanceValues, 'paymentGroupId' | 'side' | 'amount' | 'payout'>;

export const EMPTY: RemittanceValues = {
  seller: null,
  senderId: null,
  recipientId: null,
  paymentGroupId: null,
  deliveryMethod: 'home',
  cardId: null,
  side: 'amount',
  amount: '',
  payout: '',
  reference: '',
  notes: '',
  purpose: '',
  sourceOfFunds: '',
};
