import { expect, test } from 'vitest';
import { createTestGateway, errorOf, rowsOf } from './test-world.ts';

const HOUR = 3_600_000;
const OPEN = '/rest/v2/batches/open';

test('G7, G26: each terminal has one open batch, but only after its first approval', () => {
  const gateway = createTestGateway();
  expect(gateway.call('GET', OPEN)).toMatchObject({ status: 204, body: '' });
  gateway.sell('0.21');
  expect(gateway.call('GET', OPEN).status).toBe(204);
  gateway.sell('5.00');
  gateway.sell('6.00');
  expect(gateway.call('GET', OPEN).json.payload).toMatchObject({
    batch: { status: 'OPEN', 'sales-count': '2', 'sales-total': '11.00', 'net-amount': '11.00', 'terminal-id': 'web' },
  });
});

test('G27: a batch list is filtered by status and covers the terminals of its level', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00');
  gateway.call('PUT', OPEN, {});
  gateway.sell('6.00');
  gateway.model.byHand.sale('desk', 700);
  const list = (query: string) =>
    rowsOf(gateway.call('GET', `/rest/v2/batches?${query}`)).map((row) => `${row.status} ${row['net-amount']}`);
  expect(list('')).toEqual(['OPEN 6.00', 'CLOSED 5.00']);
  expect(list('page=2&page-size=1')).toEqual(['CLOSED 5.00']);
  expect(list('start-date=2026-02-01 00:00')).toEqual([]);
  expect(list('status=CLOSED')).toEqual(['CLOSED 5.00']);
  expect(list('status=OPEN&level=merchant')).toEqual(['OPEN 7.00', 'OPEN 6.00']);
});

test('G27: the totals in a batch list may lag', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.batchLagMs = 60_000;
  gateway.sell('5.00');
  expect(gateway.call('GET', OPEN).status).toBe(204);
  gateway.advance(60_000);
  gateway.sell('6.00');
  expect(gateway.call('GET', OPEN).json.payload).toMatchObject({ batch: { 'net-amount': '5.00' } });
});

test('G28, G31: a close settles the batch’s transactions and leaves no open batch', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00', { 'order-id': 'o1' });
  const closed = gateway.call('PUT', OPEN, {});
  expect(closed.json.payload).toMatchObject({ batch: { status: 'CLOSED', 'confirmation-code': expect.any(String) } });
  expect(rowsOf(gateway.find('order-id=o1'))).toMatchObject([{ settled: true, pending: false }]);
  expect(gateway.call('PUT', OPEN, {}).status).toBe(204);
  expect(gateway.model.truth().closes.map((close) => close.outcome)).toEqual(['closed', 'nothing-open']);
});

test('G28: a close with a reader’s key closes that reader’s batch; 402 with 040 is equivalent to 204', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00');
  gateway.model.byHand.sale('desk', 700);
  const close = () => gateway.call('PUT', '/rest/v2/terminal/batches/open', {}, { 'api-key': 'key-desk' });
  expect(close().status).toBe(200);
  expect(gateway.model.truth().batches.map((batch) => [batch.terminalId, batch.status])).toEqual([
    ['web', 'OPEN'],
    ['desk', 'CLOSED'],
  ]);
  gateway.model.faults.add('close', 'nothing-open');
  expect(errorOf(close())).toMatchObject({ 'result-code': '040' });
});

test('G28: a close after another close closes the next batch', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00');
  gateway.model.faults.add('close', 'closed-by-night');
  const pending = gateway.start('PUT', OPEN, {});
  gateway.model.byHand.sale('web', 600);
  gateway.advance(10_000);
  expect(gateway.readAnswer(pending).json.payload).toMatchObject({ batch: { 'net-amount': '6.00' } });
  expect(gateway.model.truth().batches.map((batch) => batch.closedBy)).toEqual(['night', 'product']);
});

test('G29: a batch stays PENDING for a while, and a failed close is completed by the next one or the nightly close', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00');
  gateway.model.faults.add('close', 'close-pending');
  expect(gateway.call('PUT', OPEN, {}).json.payload).toMatchObject({ batch: { status: 'PENDING' } });
  expect(gateway.model.truth().charges[0]?.settledAt).toBeNull();
  gateway.advance(2 * 60_000);
  expect(gateway.model.truth().batches[0]?.status).toBe('CLOSED');

  gateway.sell('6.00');
  gateway.model.faults.add('close', 'close-failed');
  expect(gateway.call('PUT', OPEN, {}).status).toBe(500);
  expect(gateway.model.truth().batches[1]?.status).toBe('FAILED');
  gateway.advance(24 * HOUR);
  expect(gateway.model.truth().batches[1]).toMatchObject({ status: 'CLOSED', closedBy: 'night' });
});

test('G30: the nightly close closes an open batch once, at its time', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.nightClose = [3, 0];
  gateway.sell('5.00');
  gateway.advance(14 * HOUR);
  expect(gateway.model.truth().batches[0]?.status).toBe('OPEN');
  gateway.advance(2 * HOUR);
  expect(gateway.model.truth().batches[0]).toMatchObject({ status: 'CLOSED', closedBy: 'night' });
  expect(gateway.model.truth().closes).toHaveLength(1);
});

test('G30: a batch without a nightly close stays open', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.nightClose = null;
  gateway.sell('5.00');
  gateway.advance(100 * HOUR);
  expect(gateway.model.truth().batches[0]?.status).toBe('OPEN');
});

test('G26, G31: voided and declined transactions are in no total', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00');
  gateway.reverse('VOID', gateway.lastCharge().id);
  gateway.sell('6.00');
  gateway.reverse('REFUND', gateway.lastCharge().id, '2.00');
  expect(gateway.model.truth().batches).toMatchObject([
    { salesCount: 1, salesCents: 600, refundCount: 1, refundCents: 200 },
  ]);
});
