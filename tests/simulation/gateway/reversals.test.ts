import { expect, test } from 'vitest';
import { createTestGateway, errorOf, rowsOf, type TestGateway, transactionOf } from './test-world.ts';
import { heldCents } from './truth.ts';

const closeBatch = (gateway: TestGateway) => gateway.call('PUT', '/rest/v2/batches/open', {});

function makeSoldGateway(amount = '5.00') {
  const gateway = createTestGateway();
  gateway.sell(amount, { 'order-id': 'o1', invoice: 'INV-1-0' });
  return { gateway, id: gateway.lastCharge().id };
}

test('G19: a void in an open batch reverses the full amount', () => {
  const { gateway, id } = makeSoldGateway();
  expect(transactionOf(gateway.reverse('VOID', id))).toMatchObject({ type: 'VOID', 'ref-id': id });
  expect(gateway.lastCharge().state).toBe('voided');
  expect(heldCents(gateway.lastCharge())).toBe(0);
  expect(rowsOf(gateway.find('order-id=o1'))).toMatchObject([{ id, type: 'SALE', voided: true }]);
});

test.each([
  [true, 'VOID', ['VOID', 'SALE']],
  [false, 'SALE', ['SALE']],
])('G19: a void is a separate transaction or only a flag: %s', (isListed, answeredType, listedTypes) => {
  const { gateway, id } = makeSoldGateway();
  gateway.model.knobs.voidsAreListed = isListed;
  expect(transactionOf(gateway.reverse('VOID', id))?.type).toBe(answeredType);
  expect(rowsOf(gateway.find('level=terminal')).map((row) => row.type)).toEqual(listedTypes);
});

test('G19, G21: a second void and one after the close are refused with 402, and change nothing', () => {
  const { gateway, id } = makeSoldGateway();
  gateway.reverse('VOID', id);
  expect(errorOf(gateway.reverse('VOID', id))).toMatchObject({ 'result-code': '024' });
  gateway.sell('7.00');
  closeBatch(gateway);
  expect(gateway.reverse('VOID', gateway.lastCharge().id).status).toBe(402);
  expect(heldCents(gateway.lastCharge())).toBe(700);
});

test('G20: refunds can be partial up to the charged amount, and name their charge', () => {
  const { gateway, id } = makeSoldGateway();
  closeBatch(gateway);
  expect(transactionOf(gateway.reverse('REFUND', id, '2.00'))).toMatchObject({
    type: 'REFUND',
    'ref-id': id,
    amount: '2.00',
  });
  expect(errorOf(gateway.reverse('REFUND', id, '3.01'))).toMatchObject({ 'result-code': '025' });
  expect(gateway.reverse('REFUND', id, '3.00').status).toBe(200);
  expect(heldCents(gateway.lastCharge())).toBe(0);
  const { reversals, batches } = gateway.model.truth();
  expect(reversals.map((reversal) => [reversal.kind, reversal.amountCents, reversal.by])).toEqual([
    ['refund', 200, 'product'],
    ['refund', 300, 'product'],
  ]);
  expect(batches.map((batch) => [batch.status, batch.refundCents])).toEqual([
    ['CLOSED', 0],
    ['OPEN', 500],
  ]);
});

test('G20: a refund that is sent twice refunds twice', () => {
  const { gateway, id } = makeSoldGateway();
  for (const _ of [1, 2]) gateway.reverse('REFUND', id, '2.00');
  expect(gateway.lastCharge().refundedCents).toBe(400);
});

test.each(['arrival', 'commit'] as const)(
  'G20: a duplicate check on refunds, on %s, returns the first refund',
  (dedupe) => {
    const { gateway, id } = makeSoldGateway();
    gateway.model.knobs.dedupe = dedupe;
    gateway.model.knobs.dedupeRefunds = true;
    const body = { type: 'REFUND', id, amount: '2.00', invoice: 'INV-1-r1', 'check-field': 'invoice' };
    const ids = [1, 2].map(() => transactionOf(gateway.call('POST', '/rest/v2/transactions', body))?.id);
    expect(new Set(ids).size).toBe(1);
    expect(gateway.lastCharge().refundedCents).toBe(200);
  },
);

test('G21: a gateway may refuse refunds before the close', () => {
  const { gateway, id } = makeSoldGateway();
  gateway.model.knobs.refundInOpenBatch = false;
  expect(gateway.reverse('REFUND', id, '5.00').status).toBe(402);
  closeBatch(gateway);
  expect(gateway.reverse('REFUND', id, '5.00').status).toBe(200);
});

test('G21: the batch may close while a void is in flight', () => {
  const { gateway, id } = makeSoldGateway();
  const pending = gateway.start('POST', '/rest/v2/transactions', { type: 'VOID', id });
  gateway.model.byHand.closeBatch('web');
  gateway.advance(10_000);
  expect(gateway.readAnswer(pending).status).toBe(402);
  expect(gateway.lastCharge().state).toBe('approved');
});

test('G19: a void of a refund returns the money to the merchant', () => {
  const { gateway, id } = makeSoldGateway();
  closeBatch(gateway);
  const refund = transactionOf(gateway.reverse('REFUND', id, '5.00'))?.id ?? '';
  gateway.reverse('VOID', refund);
  expect(heldCents(gateway.lastCharge())).toBe(500);
  expect(gateway.model.truth().reversals.map((reversal) => reversal.state)).toEqual(['voided', 'approved']);
});

test('G22: voids, refunds, charges and closes by hand have no order id, and send notices', () => {
  const { gateway, id } = makeSoldGateway();
  expect(gateway.model.byHand.refund(id, 200)).toBe(true);
  expect(gateway.model.byHand.refund(id, 301)).toBe(false);
  expect(gateway.model.byHand.void(id)).toBe(false);
  const saleId = gateway.model.byHand.sale('desk', 900, 'INV-9');
  expect(gateway.model.byHand.void(saleId)).toBe(true);
  expect(gateway.model.byHand.closeBatch('web')).toBe(true);
  gateway.advance(60_000);
  const { charges, reversals, closes } = gateway.model.truth();
  expect(charges[1]).toMatchObject({ id: saleId, orderId: null, invoice: 'INV-9', state: 'voided' });
  expect(reversals).toMatchObject([
    { kind: 'refund', by: 'person', orderId: null },
    { kind: 'void', by: 'person', ofId: saleId },
  ]);
  expect(closes).toMatchObject([{ by: 'person', outcome: 'closed' }]);
  expect(gateway.webhooks).toHaveLength(4);
});

test.each([
  [true, 'INV-1-0'],
  [false, null],
])('G22: a refund by hand may or may not keep the invoice of its charge: %s', (keepsInvoice, invoice) => {
  const { gateway, id } = makeSoldGateway();
  gateway.model.knobs.byHandKeepsInvoice = keepsInvoice;
  gateway.model.byHand.refund(id, 100);
  expect(gateway.model.truth().reversals).toMatchObject([{ invoice, orderId: null }]);
});

test('G4, G6, G20: a reversal is refused without an id, with an unknown one, or of a debit', () => {
  const gateway = createTestGateway();
  expect(gateway.call('POST', '/rest/v2/transactions', { type: 'REFUND' }).status).toBe(400);
  expect(errorOf(gateway.reverse('REFUND', '1', '1.00'))).toMatchObject({ 'result-code': '027' });
  gateway.debit('5.00');
  expect(gateway.reverse('VOID', gateway.lastCharge().id).status).toBe(402);
});
