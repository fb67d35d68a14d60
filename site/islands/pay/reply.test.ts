import { describe, expect, it } from 'vitest';
import { payPageWords } from '#shared/words/pay-words';
import { readReply as readIn, readStatus } from './reply.ts';

const words = payPageWords('en');
const readReply = (status: number, body: unknown) => readIn(status, body, words);

const transaction = {
  id: '2184903',
  amount: '184.00',
  card: 'VISA •••• 1111',
  'authorization-code': 'TAS472',
  result: 'APPROVED',
  date: '2026-03-04',
};
const success = {
  code: '200',
  status: 'success',
  payload: { payloadType: 'transaction', transaction },
  receiptUrl: '/receipt/r',
};
const error = { 'error-message': 'Card declined', 'result-code': '051' };

describe('response to a payment', () => {
  it('is read as an approval only if it is a 200 with success and a transaction', () => {
    expect(readReply(200, success)).toEqual({ kind: 'approved', transaction, receiptUrl: '/receipt/r' });
    expect(readReply(201, success).kind).toBe('unexpected');
    expect(readReply(200, { ...success, payload: {} }).kind).toBe('unexpected');
    expect(readReply(200, { ...success, payload: { transaction, error } }).kind).toBe('unexpected');
  });

  it('is not read as a failure while the outcome is unknown', () => {
    expect(readReply(202, { status: 'pending', payload: { payloadType: 'pending' } })).toEqual({ kind: 'pending' });
    expect(
      readReply(202, { status: 'pending', payload: { payloadType: 'pending' }, receiptUrl: '/receipt/own' }),
    ).toEqual({ kind: 'pending', isOwn: true });
    expect(readReply(202, { status: 'pending', payload: { transaction } })).toEqual({
      kind: 'submitted',
      transaction,
      receiptUrl: null,
    });
  });

  it('is read as a decline with the provider’s reason and code', () => {
    expect(
      readReply(402, { status: 'fail', payload: { payloadType: 'error', error }, error: { message: 'other' } }),
    ).toMatchObject({
      kind: 'refused',
      message: 'Card declined',
      failure: { message: 'Card declined', resultCode: '051' },
    });
  });

  it('is shown with our message, or the default, if the provider gives no reason', () => {
    const refused = { status: 'fail', payload: { payloadType: 'error' } };
    expect(readReply(409, { ...refused, error: { code: 'already-paid', message: 'Paid.' } })).toMatchObject({
      kind: 'refused',
      code: 'already-paid',
      message: 'Paid.',
      failure: null,
    });
    expect(readReply(402, {})).toMatchObject({ kind: 'refused', message: 'Payment failed. Please try again.' });
  });

  it('is not read as an approval if it contains an error, whose message is shown', () => {
    const payload = { payloadType: 'error', transaction, error };
    const failure = { message: 'Card declined', resultCode: '051' };
    for (const [status, body] of [
      [200, { ...success, payload }],
      [200, { payload }],
      [202, { status: 'pending', payload }],
      [500, { payload, error: { message: 'Busy.' } }],
    ] as const) {
      expect(readReply(status, body)).toEqual({ kind: 'unexpected', message: 'Card declined', failure });
    }
    expect(readReply(200, { ...success, payload: { payloadType: 'error', transaction } }).kind).toBe('unexpected');
  });

  it('may contain an error as plain text', () => {
    expect(readReply(402, { error: 'The card has expired.' })).toMatchObject({
      kind: 'refused',
      message: 'The card has expired.',
    });
    expect(readReply(200, { status: 'fail', payload: { payloadType: 'error', error: 'No.' } })).toMatchObject({
      message: 'No.',
      failure: { message: 'No.', resultCode: '' },
    });
    expect(readReply(503, { error: 'Closed for the night.' })).toMatchObject({
      kind: 'unexpected',
      message: 'Closed for the night.',
    });
  });

  it.each([
    ['en', 'This business no longer takes payments here. You have not been charged. Please contact the business.'],
    ['es', 'Este negocio ya no recibe pagos aquí. No se le ha cobrado nada. Llame al negocio.'],
  ] as const)('is read as a refusal if the account is closing (%s)', (language, expected) => {
    const message =
      'This business no longer takes payments here. You have not been charged. Please contact the business.';
    const body = {
      code: '503',
      status: 'fail',
      payload: { payloadType: 'error' },
      error: { code: 'closing', message },
    };
    expect(readIn(503, body, payPageWords(language))).toMatchObject({
      kind: 'refused',
      message: expected,
      failure: null,
    });
  });

  it('is "unexpected" if the server reports that it could not start the payment', () => {
    const message = 'The payment could not be started. Please try again.';
    const body = {
      code: '503',
      status: 'fail',
      payload: { payloadType: 'error' },
      error: { code: 'internal', message },
    };
    expect(readReply(503, body)).toEqual({ kind: 'unexpected', message, failure: null });
  });

  it('is "unexpected" for a server error without success or failure', () => {
    expect(readReply(500, {})).toEqual({
      kind: 'unexpected',
      message: 'Failed to process payment on server.',
      failure: null,
    });
    expect(readReply(500, { error: { message: 'Busy.' } })).toMatchObject({ kind: 'unexpected', message: 'Busy.' });
  });

  it.each([[undefined], [null], ['ok'], [[]], [{}], [{ status: 'success' }]])(
    'is "unexpected" if it is not recognized: %j',
    (body) => {
      expect(readReply(200, body)).toEqual({ kind: 'unexpected', message: words.outcome.unexpected, failure: null });
    },
  );
});

describe('status of a payment', () => {
  it('is read with its known fields only', () => {
    expect(readStatus({ state: 'paid', transaction, receiptUrl: '/receipt/r', secret: 1 })).toEqual({
      state: 'paid',
      transaction,
      receiptUrl: '/receipt/r',
    });
    expect(readStatus({ state: 'declined', error })).toEqual({ state: 'declined', error });
    const [since, until] = ['2026-03-04T15:39:00.000Z', '2026-03-04T15:54:00.000Z'];
    expect(readStatus({ state: 'pending', since, until })).toEqual({ state: 'pending', since, until });
    expect(readStatus({ state: 'none', since, notCharged: true })).toEqual({ state: 'none', since, notCharged: true });
    expect(readStatus({ state: 'none', until: 5, notCharged: 'yes' })).toEqual({ state: 'none' });
  });

  it.each([[undefined], [{}], [{ state: 'great' }], ['paid']])('is null if it is not recognized: %j', (body) => {
    expect(readStatus(body)).toBeNull();
  });
});
