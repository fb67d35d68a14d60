import * as z from 'zod/mini';
import { isMissing, type PayField, payFieldLimits, payFields } from './payment.ts';

// Control characters, line separators and bidirectional overrides: they break mail headers, receipts and lists.
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Names of the fields without a visible character, in the order of the form. */
export function missingFields(body: Record<string, unknown>): PayField[] {
  return (Object.keys(payFields) as PayField[]).filter((field) => isMissing(field, body[field]));
}

const text = (field: keyof typeof payFieldLimits) => {
  const label = payFields[field];
  return z.string({ error: `${label} is not a text.` }).check(
    z.trim(),
    z.maxLength(payFieldLimits[field], { error: `${label} is too long.` }),
    z.refine((value) => !FORBIDDEN.test(value), { error: `${label} contains characters that are not allowed.` }),
  );
};

const jwt = z.string().check(z.minLength(1), z.maxLength(4096));

/** An unknown account type is dropped, since the token carries it too. */
const Token = z.object({ jwt, 'account-type': z.catch(z.optional(z.enum(['Checking', 'Savings'])), undefined) });

const Fields = z.object({
  signature: z.string({ error: 'The signature must be a PNG image.' }),
  firstName: text('firstName'),
  lastName: text('lastName'),
  address: text('address'),
  address2: z.pipe(
    z.nullish(text('address2')),
    z.transform((value) => value ?? ''),
  ),
  city: text('city'),
  state: text('state'),
  zip: text('zip'),
  paymentDetails: z.union([jwt, Token], { error: 'Invalid payment token received' }),
  paymentType: z._default(z.enum(['card', 'ach'], { error: 'Payment type must be card or ach.' }), 'card'),
  attemptId: z.optional(z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'The attempt key is not valid.' }))),
  amountShown: z.optional(z.string().check(z.maxLength(20))),
});

/**
 * Body of the pay call (TakePaymentRequest), checked after `missingFields`; `paymentDetails` becomes the bare token.
 */
export const TakePaymentBody = z.pipe(
  Fields,
  z.transform(({ paymentDetails: token, ...fields }) =>
    typeof token === 'string'
      ? { ...fields, paymentDetails: token, accountType: undefined }
      : { ...fields, paymentDetails: token.jwt, accountType: token['account-type'] },
  ),
);

export type TakePaymentBody = z.output<typeof TakePaymentBody>;
