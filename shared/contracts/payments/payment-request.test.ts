import { describe, expect, it } from 'vitest';
import { billingOnFile, missingFields, namesOnFile, TakePaymentBody } from './payment-request.ts';

const bodyWith = (overrides: Record<string, unknown> = {}) => ({
  signature: 'data:image/png;base64,x',
  firstName: 'Ivy',
  lastName: 'Whitfield',
  address: '4 Elm St',
  city: 'Carmel',
  state: 'IN',
  zip: '46032',
  paymentDetails: 'a.b.c',
  ...overrides,
});
const bodyWithAddressOnFile = (overrides: Record<string, unknown> = {}) =>
  bodyWith({
    address: undefined,
    city: undefined,
    state: undefined,
    zip: undefined,
    addressOnFile: true,
    ...overrides,
  });
const walletBody = (overrides: Record<string, unknown> = {}) =>
  bodyWithAddressOnFile({ addressOnFile: undefined, wallet: 'apple', amountShown: '184.00', ...overrides });
const fieldsOf = (body: Record<string, unknown>) => {
  const { error } = TakePaymentBody.safeParse(body);
  return error ? error.issues.map(({ path }) => path[0]) : [];
};

describe('a wallet', () => {
  it('replaces the address fields and nothing else', () => {
    expect(missingFields(walletBody())).toEqual([]);
    expect(missingFields(walletBody({ lastName: '', signature: '' }))).toEqual(['lastName', 'signature']);
    expect(TakePaymentBody.parse(walletBody())).toMatchObject({ wallet: 'apple', paymentType: 'card', zip: '' });
  });

  it.each([{ paymentType: 'ach' }, { addressOnFile: true }, { address: '4 Elm St' }, { zip: '46032' }])(
    'is rejected together with %j',
    (conflictingField) => {
      expect(fieldsOf(walletBody(conflictingField))).toContain('wallet');
    },
  );

  it('is rejected if it is unknown, or without the amount on its sheet', () => {
    expect(fieldsOf(walletBody({ wallet: 'google' }))).toEqual([]);
    expect(fieldsOf(walletBody({ wallet: 'samsung' }))).toEqual(['wallet']);
    expect(fieldsOf(walletBody({ amountShown: undefined }))).toEqual(['amountShown']);
  });
});

describe('the address on file', () => {
  it('replaces the address fields and nothing else', () => {
    expect(missingFields(bodyWithAddressOnFile())).toEqual([]);
    expect(missingFields(bodyWithAddressOnFile({ firstName: ' ', signature: '' }))).toEqual(['firstName', 'signature']);
    expect(missingFields(bodyWithAddressOnFile({ addressOnFile: false }))).toEqual(['address', 'city', 'state', 'zip']);
    expect(TakePaymentBody.parse(bodyWithAddressOnFile())).toMatchObject({ addressOnFile: true, address: '', zip: '' });
  });

  it.each(['address', 'address2', 'city', 'state', 'zip'])('is rejected together with %s', (field) => {
    expect(fieldsOf(bodyWithAddressOnFile({ [field]: 'x' }))).toEqual(['addressOnFile']);
  });

  it.each([false, 'true', 1, {}])('can only be true, so %j is rejected', (addressOnFile) => {
    expect(fieldsOf(bodyWith({ addressOnFile }))).toEqual(['addressOnFile']);
  });

  it('is complete only if the form would accept each part, and its lines are joined into one', () => {
    const contact = { address: ' 4 Elm St\nFloor 2 ', city: 'Carmel', state: 'IN', zip: '46032' };
    expect(billingOnFile(contact)).toEqual({
      ok: true,
      billing: { address: '4 Elm St Floor 2', address2: '', city: 'Carmel', state: 'IN', zip: '46032' },
    });
    expect(billingOnFile({ ...contact, city: '\u200b', zip: '' })).toEqual({ ok: false, fields: ['city', 'zip'] });
    expect(billingOnFile({ ...contact, state: 'x'.repeat(21) })).toEqual({ ok: false, fields: ['state'] });
    expect(billingOnFile({ ...contact, address: 'a\u202eb' })).toEqual({ ok: false, fields: ['address'] });
  });
});

describe('the names on file', () => {
  it.each([
    ['a tab', 'Marta\tMaria', 'Marta Maria'],
    ['a line separator', 'Marta\u2028Maria', 'Marta Maria'],
    ['130 letters', 'x'.repeat(130), ''],
    ['a control character', 'Mar\u0007ta', ''],
    ['reversed text', '\u202eatraM', ''],
    ['nothing visible', '\u200b', ''],
    ['nothing', '', ''],
    ['an ordinary name', ' Marta ', 'Marta'],
  ])('are reduced to what the form accepts: %s', (_case, name, acceptedName) => {
    const names = namesOnFile({ firstName: name, lastName: name });
    expect(names).toEqual({ firstName: acceptedName, lastName: acceptedName });
    if (acceptedName !== '') expect(fieldsOf(bodyWith(names))).toEqual([]);
  });
});

describe('the act of signing', () => {
  it.each([
    ['a drawing by default', undefined],
    ['a drawing', { kind: 'drawn' }],
    ['a typed name, which need not be the payer’s', { kind: 'typed', words: 'I. W. for Hartley Books' }],
    ['a ticked sentence', { kind: 'ticked', words: 'I am Ivy Whitfield and sign this payment' }],
  ])('accepts %s', (_case, signing) => {
    expect(fieldsOf(bodyWith({ signing }))).toEqual([]);
  });

  /** Values of `signing` that are not a valid act by the payer. */
  const INVALID_SIGNINGS: [string, unknown][] = [
    ...['', ' ', '\u200b', '\u00a0\u2003', 'x'.repeat(101), 'Ivy\u0000', 'Ivy\u202e', 'a\nb'].map(
      (words): [string, unknown] => [`typed: ${JSON.stringify(words).slice(0, 20)}`, { kind: 'typed', words }],
    ),
    ...[
      '',
      ' ',
      'Ivy Whitfield',
      'I am Ivy Whitfield',
      'I sign this payment',
      'I am  and sign this payment',
      'I am Ivy and sign this payment',
      'I am Marta Núñez and sign this payment',
      'I am ivy whitfield and sign this payment',
      'I am Ivy Whitfield and sign this payment.',
      ' I am Ivy Whitfield and sign this payment',
      'I am Ivy  Whitfield and sign this payment',
      'I am Ivy Whitfield and do not sign this payment',
      'true',
      'on',
    ].map((words): [string, unknown] => [`ticked: "${words}"`, { kind: 'ticked', words }]),
    ...['Ivy Whitfield', 'I am Ivy Whitfield and sign this payment', ' '].map((words): [string, unknown] => [
      `drawn, with words: "${words}"`,
      { kind: 'drawn', words },
    ]),
    ['typed without words', { kind: 'typed' }],
    ['ticked without words', { kind: 'ticked' }],
    ['typed with a number', { kind: 'typed', words: 7 }],
    ['ticked with true', { kind: 'ticked', words: true }],
    ['ticked with a list', { kind: 'ticked', words: ['I am Ivy Whitfield and sign this payment'] }],
    ['no kind', { words: 'Ivy Whitfield' }],
    ['an empty act', {}],
    ...['', 'none', 'Typed', 'saved', 'prefilled', 'ticked ', 'toString', null, 1, true].map(
      (kind): [string, unknown] => [`kind ${JSON.stringify(kind)}`, { kind, words: 'Ivy Whitfield' }],
    ),
    ...[true, 'ticked', 'Ivy Whitfield', 1, [], ['ticked'], null].map((signing): [string, unknown] => [
      `signing ${JSON.stringify(signing)}`,
      signing,
    ]),
  ];

  it(`rejects ${INVALID_SIGNINGS.length} variants that are not a valid act of signing`, () => {
    expect(INVALID_SIGNINGS.length).toBeGreaterThanOrEqual(48);
    const acceptedSignings = INVALID_SIGNINGS.filter(
      ([, signing]) => TakePaymentBody.safeParse(bodyWith({ signing })).success,
    );
    expect(acceptedSignings).toEqual([]);
  });

  it.each([
    ['no image', undefined],
    ['an empty image', ''],
    ['spaces for an image', '  '],
    ['null', null],
  ])('rejects %s even if the sentence is ticked', (_case, signature) => {
    const signing = { kind: 'ticked', words: 'I am Ivy Whitfield and sign this payment' };
    expect(missingFields(bodyWith({ signature, signing }))).toEqual(['signature']);
  });
});
