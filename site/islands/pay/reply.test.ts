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

describe('reading the payment response', () => {
  it('reports an approval only for 200 with success and a transaction', () => {
    expect(readReply(200, success)).toEqual({ kind: 'approved', transaction, receiptUrl: '/receipt/r' });
    expect(readReply(201, success).kind).toBe('unexpected');
    expect(readReply(200, { ...success, payload: {} }).kind).toBe('unexpected');
    expect(readReply(200, { ...success, payload: { transaction, error } }).kind).toBe('unexpected');
  });

  it('never reports a failure while the outcome is unknown', () => {
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

  it('reports a decline with the provider’s reason and code', () => {
    expect(
      readReply(402, { status: 'fail', payload: { payloadType: 'error', error }, error: { message: 'other' } }),
    ).toMatchObject({
      kind: 'refused',
      message: 'Card declined',
      failure: { message: 'Card declined', resultCode: '051' },
    });
  });

  it('falls back from the provider’s reason to our message, then to the default', () => {
    const refused = { status: 'fail', payload: { payloadType: 'error' } };
    expect(readReply(409, { ...refused, error: { code: 'already-paid', message: 'Paid.' } })).toMatchObject({
      kind: 'refused',
      code: 'already-paid',
      message: 'Paid.',
      failure: null,
    });
    expect(readReply(402, {})).toMatchObject({ kind: 'refused', message: 'Payment failed. Please try again.' });
  });

  it('shows the message of an error payload with any status and never reports it as approved', () => {
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

  it('reads a plain-text error', () => {
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
  ] as const)('reports a closing account to a page that was opened earlier: %s', (language, expected) => {
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

  it('leaves the outcome open when the server could not start the payment', () => {
    const message = 'The payment could not be started. Please try again.';
    const body = {
      code: '503',
      status: 'fail',
      payload: { payloadType: 'error' },
      error: { code: 'internal', message },
    };
    expect(readReply(503, body)).toEqual({ kind: 'unexpected', message, failure: null });
  });

  it('leaves the outcome open for a server error without success or failure', () => {
    expect(readReply(500, {})).toEqual({
      kind: 'unexpected',
      message: 'Failed to process payment on server.',
      failure: null,
    });
    expect(readReply(500, { error: { message: 'Busy.' } })).toMatchObject({ kind: 'unexpected', message: 'Busy.' });
  });

  it.each([[undefined], [null], ['ok'], [[]], [{}], [{ status: 'success' }]])(
    'reports an unrecognized response as unexpected: %j',
    (body) => {
      expect(readReply(200, body)).toEqual({ kind: 'unexpected', message: words.outcome.unexpected, failure: null });
    },
  );
});

describe('reading the payment status', () => {
  it('returns only the known fields', () => {
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

  it.each([[undefined], [{}], [{ state: 'great' }], ['paid']])(
    'returns null for an unrecognized response: %j',
    (body) => {
      expect(readStatus(body)).toBeNull();
    },
  );
});
