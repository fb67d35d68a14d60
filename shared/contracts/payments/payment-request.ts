import * as z from 'zod/mini';
import { tickSentences } from '#shared/words/bill-and-receipt-words';
import { languages } from '#shared/words/language';
import { addressFields, fullName, isMissing, type PayField, payFieldLimits, payFields } from '../payment.ts';
import { Part } from './installments.ts';
import { signings } from './signing-values.ts';
import { wallets } from './wallet-values.ts';

// Control characters, line separators and bidirectional overrides: they break mail headers, receipts and lists.
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Returns the names of required fields without a visible character, in the order of the form. */
export function missingFields(body: Record<string, unknown>): PayField[] {
  const omittedFields: readonly string[] =
    body.addressOnFile === true || body.wallet !== undefined ? addressFields : [];
  return (Object.keys(payFields) as PayField[]).filter(
    (field) => !omittedFields.includes(field) && isMissing(field, body[field]),
  );
}

const textField = (field: keyof typeof payFieldLimits) => {
  const label = payFields[field];
  return z.string({ error: `${label} is not a text.` }).check(
    z.trim(),
    z.maxLength(payFieldLimits[field], { error: `${label} is too long.` }),
    z.refine((value) => !FORBIDDEN.test(value), { error: `${label} contains characters that are not allowed.` }),
  );
};

const optionalTextField = (field: keyof typeof payFieldLimits) =>
  z.pipe(
    z.nullish(textField(field)),
    z.transform((value) => value ?? ''),
  );

const SIGNING_ERROR = 'The signature does not say how it was given.';

const Signing = z.object({
  kind: z.enum(signings, { error: SIGNING_ERROR }),
  words: z._default(z.string({ error: SIGNING_ERROR }).check(z.maxLength(260, { error: SIGNING_ERROR })), ''),
});

const jwt = z.string().check(z.minLength(1), z.maxLength(4096));

/** An unknown account type is dropped, because the token contains it too. */
const Token = z.object({ jwt, 'account-type': z.catch(z.optional(z.enum(['Checking', 'Savings'])), undefined) });

const Fields = z.object({
  signature: z.string({ error: 'The signature must be a PNG image.' }),
  signing: z._default(Signing, { kind: 'drawn', words: '' }),
  firstName: textField('firstName'),
  lastName: textField('lastName'),
  address: optionalTextField('address'),
  address2: optionalTextField('address2'),
  city: optionalTextField('city'),
  state: optionalTextField('state'),
  zip: optionalTextField('zip'),
  addressOnFile: z.optional(z.literal(true, { error: 'addressOnFile can only be true.' })),
  paymentDetails: z.union([jwt, Token], { error: 'Invalid payment token received' }),
  paymentType: z._default(z.enum(['card', 'ach'], { error: 'Payment type must be card or ach.' }), 'card'),
  wallet: z.optional(z.enum(wallets, { error: 'This wallet is not known.' })),
  attemptId: z.optional(z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'The attempt key is not valid.' }))),
  amountShown: z.optional(z.string().check(z.maxLength(20))),
  part: z.optional(Part),
});

type PaymentFields = z.output<typeof Fields>;

/** True if the words match the kind: none for a drawing, the sentence with the payer's name for a tick. */
function isSigningValid({ signing, firstName, lastName }: PaymentFields): boolean {
  const { kind, words } = signing;
  if (kind === 'drawn') return words === '';
  if (kind === 'ticked') return tickSentences(fullName(firstName, lastName)).includes(words);
  return !isMissing('signature', words) && words.length <= payFieldLimits.firstName && !FORBIDDEN.test(words);
}

const hasNoAddress = (fields: PaymentFields) => addressFields.every((field) => fields[field] === '');

const hasOneAddress = (fields: PaymentFields) => !fields.addressOnFile || hasNoAddress(fields);

/** True if a wallet's payment has no other source of a card or an address. */
const isWalletAlone = (fields: PaymentFields) =>
  !fields.wallet || (fields.paymentType === 'card' && !fields.addressOnFile && hasNoAddress(fields));

/** True if the amount on a wallet's sheet is known, and so can be compared with the amount due. */
const hasSheetAmount = ({ wallet, amountShown }: PaymentFields) => !wallet || amountShown !== undefined;

const toOneLine = (value: string) => value.replace(/\s+/g, ' ').trim();

const isAccepted = (field: keyof typeof payFieldLimits, value: string): boolean =>
  !isMissing(field, value) && textField(field).safeParse(value).success;

/** The customer's names for the form. A name that the form would refuse is empty, so that the form asks for it. */
export function namesOnFile(names: Record<'firstName' | 'lastName', string>): typeof names {
  const [firstName, lastName] = [toOneLine(names.firstName), toOneLine(names.lastName)];
  return {
    firstName: isAccepted('firstName', firstName) ? firstName : '',
    lastName: isAccepted('lastName', lastName) ? lastName : '',
  };
}

/** The five fields of a billing address, as the form checks them. */
const Address = z.object({
  address: textField('address'),
  city: textField('city'),
  state: textField('state'),
  zip: textField('zip'),
});

/** Converts the CRM's address of a contact to a billing address, or returns the invalid fields. */
export function billingOnFile(
  contact: Record<'address' | 'city' | 'state' | 'zip', string>,
): { ok: true; billing: z.output<typeof Address> & { address2: string } } | { ok: false; fields: PayField[] } {
  const oneLine = Object.fromEntries(Object.entries(contact).map(([field, value]) => [field, toOneLine(value)]));
  const fields = Object.keys(Address.shape) as (keyof typeof contact)[];
  const invalidFields = fields.filter((field) => !isAccepted(field, oneLine[field] ?? ''));
  if (invalidFields.length > 0) return { ok: false, fields: invalidFields };
  return { ok: true, billing: { ...Address.parse(oneLine), address2: '' } };
}

/**
 * Body of the pay call (TakePaymentRequest), checked after `missingFields`; `paymentDetails` becomes the bare token.
 */
export const TakePaymentBody = z.pipe(
  Fields.check(
    z.refine(hasOneAddress, { path: ['addressOnFile'], error: 'Send an address or the one on file, not both.' }),
    z.refine(isWalletAlone, { path: ['wallet'], error: 'A wallet has its own card and billing address.' }),
    z.refine(hasSheetAmount, { path: ['amountShown'], error: 'Send the amount that the wallet showed.' }),
    z.refine(isSigningValid, { path: ['signature'], error: 'Please sign before paying.' }),
  ),
  z.transform(({ paymentDetails: token, ...fields }) =>
    typeof token === 'string'
      ? { ...fields, paymentDetails: token, accountType: undefined }
      : { ...fields, paymentDetails: token.jwt, accountType: token['account-type'] },
  ),
);

export type TakePaymentBody = z.output<typeof TakePaymentBody>;

/**
 * POST /api/invoices/{pay id}/opened, sent by the pay page's own script after user input or 10 seconds of visibility.
 * Always 204, counted or not. `load`: the id of the page load, the same for all attempts.
 */
export const OpenedBody = z.object({ load: z.string().check(z.regex(/^[\w-]{8,64}$/)) });
export type OpenedBody = z.infer<typeof OpenedBody>;

/** PUT /api/payer-language. */
export const PayerLanguageBody = z.strictObject({ language: z.enum(languages) });
export type PayerLanguageBody = z.input<typeof PayerLanguageBody>;
