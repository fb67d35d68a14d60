import { z } from 'zod';
import { type PayField, payFieldLimits, payFields } from './payment.ts';

// Control characters, line separators and bidirectional overrides: they break mail headers, receipts and lists.
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[^\s\p{Cf}\p{Z}]/u;

/** The fields that hold nothing a person could see, in the order of the form. */
export function missingFields(body: Record<string, unknown>): PayField[] {
  return (Object.keys(payFields) as PayField[]).filter((field) => {
    if (field === 'address2') return false;
    const value = body[field];
    return value === undefined || value === null || (typeof value === 'string' && !VISIBLE.test(value));
  });
}

const text = (field: keyof typeof payFieldLimits) =>
  z
    .string({ error: `${payFields[field]} is not a text.` })
    .trim()
    .max(payFieldLimits[field], { error: `${payFields[field]} is too long.` })
    .refine((value) => !FORBIDDEN.test(value), { error: `${payFields[field]} contains characters that are not allowed.` });

const jwt = z.string().min(1).max(4096);

/** The body of the pay call (TakePaymentRequest), once nothing required is missing. */
export const TakePaymentBody = z.object({
  signature: z.string({ error: 'The signature must be a PNG image.' }),
  firstName: text('firstName'),
  lastName: text('lastName'),
  address: text('address'),
  address2: text('address2').nullish().transform((value) => value ?? ''),
  city: text('city'),
  state: text('state'),
  zip: text('zip'),
  paymentDetails: z.union([jwt, z.object({ jwt })], { error: 'Invalid payment token received' }).transform((value) =>
    typeof value === 'string' ? value : value.jwt,
  ),
  paymentType: z.enum(['card', 'ach'], { error: 'Payment type must be card or ach.' }).default('card'),
  attemptId: z.string().regex(/^[\w-]{8,64}$/, { error: 'The attempt key is not valid.' }).optional(),
  amountShown: z.string().max(20).optional(),
});

export type TakePaymentBody = z.output<typeof TakePaymentBody>;
