import { deflateSync } from 'node:zlib';
import { dataUrl, png, signature } from '#tests/support/content/png';
import type { InvoiceFields } from '#tests/support/product/product';

type Form = Record<string, unknown>;
export type Refusal = {
  name: string;
  /** Changes to the form that a payer would send. */
  form?: Record<string, unknown>;
  /** Or the bytes themselves. */
  bytes?(form: Form): string | string[];
  headers?: Record<string, string>;
  invoice?: InvoiceFields;
  status: number;
  message: string;
  fields?: string[];
};

const JPEG = dataUrl(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70));
const HUGE = dataUrl(png({ width: 30_000, height: 30_000, data: deflateSync(new Uint8Array(10)) }));
const TRUNCATED = dataUrl(png({ width: 40, height: 150 }).slice(0, -20));
const BLANK = dataUrl(png({ width: 40, height: 150, pixel: () => [0, 0, 0, 0] }));
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const UNREADABLE = 'The request could not be read. You have not been charged.';
const WRONG_TYPE = 'Please send the form from the payment page.';
const TOO_LARGE = 'The request is too large.';
const MISSING = 'Please fill in all required fields: ';
const NO_TOKEN = 'Invalid payment token received';
const NO_AMOUNT = 'This invoice has no amount to pay. Please contact the business.';
const AMOUNT_UNREADABLE =
  'The amount of this invoice cannot be read, so it cannot be paid online yet. You have not been charged. Please contact the business.';
const OFFLINE = 'This invoice cannot be paid online.';
const NOT_ALLOWED = 'First Name contains characters that are not allowed.';
const NOT_PNG = 'The signature must be a PNG image.';
const BROKEN = 'The signature could not be read.';

/** Payments that must be refused before money moves, and the payer's message. */
export const refusals: Refusal[] = [
  { name: 'a body that ends early', bytes: () => '{', status: 400, message: UNREADABLE },
  { name: 'no body', bytes: () => '', status: 400, message: UNREADABLE },
  { name: 'a list', bytes: () => '[]', status: 400, message: UNREADABLE },
  { name: 'null', bytes: () => 'null', status: 400, message: UNREADABLE },
  { name: 'a text', headers: { 'content-type': 'text/plain' }, status: 415, message: WRONG_TYPE },
  {
    name: 'a form of another site',
    bytes: () => 'firstName=Marta',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    message: WRONG_TYPE,
  },
  { name: 'no content type', headers: { 'content-type': '' }, status: 415, message: WRONG_TYPE },
  { name: '600 kB with their length', form: { more: 'x'.repeat(600_000) }, status: 413, message: TOO_LARGE },
  {
    name: '600 kB in pieces without a length',
    bytes: (form) => [...(JSON.stringify({ ...form, more: 'x'.repeat(600_000) }).match(/.{1,50000}/gs) ?? [])],
    status: 413,
    message: TOO_LARGE,
  },
  {
    name: 'a first name left out and a blank city',
    form: { firstName: undefined, city: '' },
    status: 422,
    message: `${MISSING}First Name, City`,
    fields: ['firstName', 'city'],
  },
  { name: 'spaces for a name', form: { firstName: '   ' }, status: 422, message: `${MISSING}First Name` },
  {
    name: 'invisible letters for a name',
    form: { lastName: '\u200b\u2060\ufeff' },
    status: 422,
    message: `${MISSING}Last Name`,
  },
  { name: 'null for every field', form: allFields(null), status: 422, message: `${MISSING}${ALL_FIELDS()}` },
  {
    name: 'a name of 5,000 letters',
    form: { firstName: 'x'.repeat(5000) },
    status: 422,
    message: 'First Name is too long.',
    fields: ['firstName'],
  },
  {
    name: 'a line break in a name',
    form: { firstName: 'Marta\r\nBcc: all@example.com' },
    status: 422,
    message: NOT_ALLOWED,
  },
  { name: 'a NUL in a name', form: { firstName: 'Mar\0ta' }, status: 422, message: NOT_ALLOWED },
  {
    name: 'a right-to-left override in a name',
    form: { firstName: 'Marta\u202e' },
    status: 422,
    message: NOT_ALLOWED,
  },
  { name: 'a number for a name', form: { firstName: 7 }, status: 422, message: 'First Name is not a text.' },
  { name: 'an object for a city', form: { city: { $gt: '' } }, status: 422, message: 'City is not a text.' },
  { name: 'a zip of 21 letters', form: { zip: '1'.repeat(21) }, status: 422, message: 'Zip is too long.' },
  { name: 'a state of 21 letters', form: { state: 'x'.repeat(21) }, status: 422, message: 'State is too long.' },
  {
    name: 'a tab in a zip',
    form: { zip: '46\t032' },
    status: 422,
    message: 'Zip contains characters that are not allowed.',
  },
  { name: 'no signature', form: { signature: '' }, status: 422, message: `${MISSING}Signature`, fields: ['signature'] },
  { name: 'a number for a signature', form: { signature: 1 }, status: 422, message: NOT_PNG },
  {
    name: 'a drawing that can run scripts',
    form: { signature: 'data:image/svg+xml,<svg onload="x"/>' },
    status: 422,
    message: NOT_PNG,
    fields: ['signature'],
  },
  { name: 'a JPEG sent as PNG', form: { signature: JPEG }, status: 422, message: NOT_PNG },
  {
    name: 'a picture of 30,000 by 30,000',
    form: { signature: HUGE },
    status: 422,
    message: 'The signature image is too large.',
  },
  { name: 'a picture cut in the middle', form: { signature: TRUNCATED }, status: 422, message: BROKEN },
  {
    name: 'a line break in the picture',
    form: { signature: signature().replace(/.{60}$/, '\n$&') },
    status: 422,
    message: BROKEN,
  },
  { name: 'a picture with too much padding', form: { signature: `${signature()}=` }, status: 422, message: BROKEN },
  {
    name: 'a blank picture',
    form: { signature: BLANK },
    status: 422,
    message: 'Please sign before paying.',
  },
  {
    name: 'no card token',
    form: { paymentDetails: undefined },
    status: 422,
    message: NO_TOKEN,
    fields: ['paymentDetails'],
  },
  { name: 'a number for a card token', form: { paymentDetails: 42 }, status: 422, message: NO_TOKEN },
  {
    name: 'a malformed card token',
    form: { paymentDetails: { jwt: { jwt: 'x' } } },
    status: 422,
    message: NO_TOKEN,
  },
  {
    name: 'a card token nested 10,000 deep',
    bytes: (form) => JSON.stringify({ ...form, paymentDetails: '@' }).replace('"@"', deep(10_000)),
    status: 422,
    message: NO_TOKEN,
  },
  {
    name: 'the card token only in __proto__',
    bytes: (form) => JSON.stringify({ ...form, paymentDetails: '@' }).replace('"@"', '{"__proto__":{"jwt":"x"}}'),
    status: 422,
    message: NO_TOKEN,
  },
  {
    name: 'the whole form in __proto__',
    bytes: (form) => `{"__proto__":${JSON.stringify(form)}}`,
    status: 422,
    message: `${MISSING}${ALL_FIELDS()}`,
  },
  {
    name: 'a repeated key whose last value is empty',
    bytes: (form) => JSON.stringify(form).replace(/}$/, ',"firstName":""}'),
    status: 422,
    message: `${MISSING}First Name`,
  },
  {
    name: 'an unknown way to pay',
    form: { paymentType: 'crypto' },
    status: 422,
    message: 'Payment type must be card or ach.',
  },
  {
    name: 'a malformed attempt key',
    form: { attemptId: "' OR 1=1--" },
    status: 422,
    message: 'The attempt key is not valid.',
  },
  {
    name: 'a made-up card token',
    form: { paymentDetails: { jwt: 'a.b.c' } },
    status: 402,
    message: 'Your card details have expired. Please enter them again. You have not been charged.',
  },
  {
    name: 'an amount other than the page showed',
    form: { amountShown: '0.01' },
    status: 409,
    message: 'The amount due has changed. Please reload the page.',
  },
  { name: 'a balance of zero', invoice: { balance: '0.00' }, status: 409, message: NO_AMOUNT },
  { name: 'a balance below zero', invoice: { balance: '-5.00' }, status: 409, message: NO_AMOUNT },
  { name: 'no balance', invoice: { balance: null }, status: 409, message: AMOUNT_UNREADABLE },
  { name: 'a balance in words', invoice: { balance: 'abc' }, status: 409, message: AMOUNT_UNREADABLE },
  { name: 'an infinite balance', invoice: { balance: '1e309' }, status: 409, message: AMOUNT_UNREADABLE },
  { name: 'a balance of three decimals', invoice: { balance: '12.345' }, status: 409, message: AMOUNT_UNREADABLE },
  { name: 'a balance above the maximum', invoice: { amount: '50000.01' }, status: 409, message: OFFLINE },
  { name: 'another currency', invoice: { currency: 'EUR' }, status: 409, message: OFFLINE },
  { name: 'a voided invoice', invoice: { status: 'voided' }, status: 409, message: OFFLINE },
  { name: 'a draft', invoice: { status: 'draft' }, status: 409, message: OFFLINE },
  {
    name: 'an invoice that was paid at the business',
    invoice: { status: 'paid' },
    status: 409,
    message: 'This invoice is already paid. You have not been charged again.',
  },
];

function allFields(value: unknown): Record<string, unknown> {
  return Object.fromEntries(
    ['firstName', 'lastName', 'address', 'address2', 'city', 'state', 'zip', 'signature'].map((name) => [name, value]),
  );
}
function ALL_FIELDS() {
  return 'First Name, Last Name, Address, City, State, Zip, Signature';
}
