import { describe, expect, it } from 'vitest';
import { readTransactionEvent } from './clearent.ts';

const saleEvent = {
  code: '200',
  status: 'success',
  payload: {
    payloadType: 'transaction',
    transaction: {
      id: '218490044',
      type: 'SALE',
      result: 'APPROVED',
      'order-id': 'a1',
      'terminal-id': '70141',
      'merchant-id': '6588000004471290',
    },
  },
  signature: '3065',
};
const settledEvent = {
  PayLoadType: 'ach.status.settled',
  Payload: { transaction_id: '218490050', new_status: 'Settled', merchant_id: '6588000004471290' },
};
const debitEvent = {
  method: 'ach',
  providerTxnId: '218490050',
  attemptId: '',
  terminalId: '',
  merchantNumber: '6588000004471290',
};

describe('a transaction webhook', () => {
  it('identifies the transaction, but not its outcome', () => {
    expect(readTransactionEvent(JSON.stringify(saleEvent))).toEqual({
      method: 'card',
      providerTxnId: '218490044',
      attemptId: 'a1',
      terminalId: '70141',
      merchantNumber: '6588000004471290',
    });
  });

  it.each(['DEBIT', 'ACH DEBIT', 'CREDIT'])('treats a %s as a bank payment', (type) => {
    const body = { payload: { transaction: { ...saleEvent.payload.transaction, type } } };
    expect(readTransactionEvent(JSON.stringify(body))).toMatchObject({ method: 'ach', providerTxnId: '218490044' });
  });

  it('reads a bank payment named ach-transaction', () => {
    const body = { payload: { 'ach-transaction': { ...saleEvent.payload.transaction, type: 'Debit' } } };
    expect(readTransactionEvent(JSON.stringify(body))).toMatchObject({ method: 'ach', attemptId: 'a1' });
  });

  it.each([
    ['as documented', settledEvent],
    ['nested in itself', { PayLoadType: settledEvent.PayLoadType, Payload: settledEvent }],
    ['nested as text', { Payload: JSON.stringify(settledEvent) }],
    ['with a number for its id', { ...settledEvent, Payload: { ...settledEvent.Payload, transaction_id: 218490050 } }],
  ])('reads a bank debit %s', (_case, body) => {
    expect(readTransactionEvent(JSON.stringify(body))).toEqual(debitEvent);
  });

  it.each([
    ['', 'nothing'],
    ['{', 'broken JSON'],
    ['null', 'null'],
    ['[]', 'a list'],
    ['{"payload":{}}', 'no transaction'],
    ['{"payload":{"transaction":{"type":"SALE"}}}', 'no id'],
    ['{"payload":{"transaction":{"id":"a b"}}}', 'an invalid id'],
    [`{"payload":{"transaction":{"id":"${'1'.repeat(65)}"}}}`, 'an id that is too long'],
    ['{"PayLoadType":"ach.status.settled","Payload":{}}', 'a status without an id'],
    ['{"event":"Boarded","merchantId":"1"}', 'another message'],
    [`${'{"Payload":'.repeat(50)}1${'}'.repeat(50)}`, 'very deep nesting'],
  ])('ignores %s (%s)', (raw) => {
    expect(readTransactionEvent(raw)).toBeNull();
  });
});
