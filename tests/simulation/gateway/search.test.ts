import { expect, test } from 'vitest';
import { createTestGateway, rowsOf, transactionOf } from './test-world.ts';

const DAY = 24 * 3_600_000;

test('G32: each filter narrows the look-up, and 204 means nothing was found', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00', { 'order-id': 'o1', invoice: 'INV-1' });
  gateway.sell('6.00', { 'order-id': 'o2', invoice: 'INV-1' });
  const { id } = gateway.lastCharge();
  const orders = (query: string) => rowsOf(gateway.find(query)).map((row) => row['order-id']);
  expect(orders('order-id=o1')).toEqual(['o1']);
  expect(orders('invoice=INV-1')).toEqual(['o2', 'o1']);
  expect(orders('invoice=INV-1&isDescending=false')).toEqual(['o1', 'o2']);
  expect(transactionOf(gateway.find(`id=${id}`))?.['order-id']).toBe('o2');
  expect(orders('amount=5.00&type=SALE&status=APPROVED')).toEqual(['o1']);
  expect(gateway.find('order-id=o3')).toMatchObject({ status: 204, body: '' });
  expect(gateway.find('last-four=9999').status).toBe(204);
});

test('G32: dates filter a range by minute, and an unreadable date is refused', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00', { 'order-id': 'early' });
  gateway.advance(2 * DAY);
  gateway.sell('5.00', { 'order-id': 'late' });
  const orders = (query: string) => rowsOf(gateway.find(query)).map((row) => row['order-id']);
  expect(orders('start-date=2026-01-06 00:00')).toEqual(['late']);
  expect(orders('start-date=2026-01-05 00:00&end-date=2026-01-06 00:00 UTC')).toEqual(['early']);
  expect(gateway.find('start-date=yesterday').status).toBe(400);
});

test('G37: a look-up covers its own terminal, or the whole merchant on request', () => {
  const gateway = createTestGateway();
  gateway.model.byHand.sale('desk', 700, 'INV-1');
  expect(gateway.find('invoice=INV-1').status).toBe(204);
  expect(rowsOf(gateway.find('invoice=INV-1&level=merchant'))).toHaveLength(1);
});

test.each([
  ['order', 'order-id=o1'],
  ['invoice', 'invoice=INV-1'],
  ['time', 'start-date=2026-01-05 00:00'],
] as const)('G33: the index by %s lags on its own', (index, query) => {
  const gateway = createTestGateway();
  gateway.model.knobs.lagMs[index] = [600_000, 600_000];
  gateway.sell('5.00', { 'order-id': 'o1', invoice: 'INV-1' });
  const queries = ['order-id=o1', 'invoice=INV-1', 'start-date=2026-01-05 00:00'];
  expect(queries.filter((candidate) => gateway.find(candidate).status === 204)).toEqual([query]);
  expect(gateway.lastCharge().visibleAt[index]).toBe(gateway.lastCharge().at + 600_000);
  gateway.advance(600_000);
  expect(gateway.find(query).status).toBe(200);
});

test('G33: a look-up by two indexes waits for both', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.lagMs.invoice = [600_000, 600_000];
  gateway.sell('5.00', { 'order-id': 'o1', invoice: 'INV-1' });
  expect(gateway.find('order-id=o1&invoice=INV-1').status).toBe(204);
});

test('G33: a void lags too, and no index falls back to an older state', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00', { 'order-id': 'o1', invoice: 'INV-1' });
  gateway.model.knobs.voidsAreListed = false;
  gateway.model.knobs.lagMs.order = [600_000, 600_000];
  const { id } = gateway.lastCharge();
  gateway.reverse('VOID', id);
  gateway.model.knobs.lagMs.order = [0, 0];
  const voided = (query: string) => String(rowsOf(gateway.find(query))[0]?.voided);
  expect([voided('order-id=o1'), voided('invoice=INV-1')]).toEqual(['false', 'true']);
  gateway.model.byHand.closeBatch('web');
  expect(voided('order-id=o1')).toBe('false');
  gateway.advance(600_000);
  expect(voided('order-id=o1')).toBe('true');
});

test('G33: each transaction draws its own lags', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.lagMs.order = [0, 600_000];
  gateway.model.knobs.lagMs.invoice = [0, 600_000];
  for (let count = 0; count < 10; count++) gateway.sell('5.00', { 'order-id': `o${count}` });
  const lags = gateway.model
    .truth()
    .charges.flatMap(({ at, visibleAt }) => [visibleAt.order - at, visibleAt.invoice - at]);
  expect(new Set(lags).size).toBeGreaterThan(15);
});

test('G15, G33: only one of two simultaneous look-ups may see a charge', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.processMs = [1000, 1000];
  gateway.startSale('5.00', { 'order-id': 'o1', invoice: 'INV-1' });
  gateway.advance(500);
  gateway.model.knobs.processMs = [400, 400];
  const first = gateway.start('GET', '/rest/v2/transactions?order-id=o1');
  gateway.advance(200);
  const second = gateway.start('GET', '/rest/v2/transactions?invoice=INV-1');
  gateway.advance(1000);
  expect([gateway.readAnswer(first).status, gateway.readAnswer(second).status]).toEqual([204, 200]);
});

test('G34: pages count from 1, mark the last one, and shift when a row is added', () => {
  const gateway = createTestGateway();
  for (const order of ['a', 'b', 'c']) gateway.sell('5.00', { 'order-id': order });
  const page = (number: number) => gateway.find(`page=${number}&page-size=2`);
  const orders = (number: number) => rowsOf(page(number)).map((row) => row['order-id']);
  expect(page(1).json.page).toMatchObject({ first: true, last: false, 'total-pages': '2', 'total-elements': '3' });
  expect(page(2).json.page).toMatchObject({ last: true });
  expect([orders(1), orders(2)]).toEqual([['c', 'b'], ['a']]);
  gateway.sell('5.00', { 'order-id': 'd' });
  expect(orders(2)).toEqual(['b', 'a']);
  expect(page(3).status).toBe(204);
});

test('G35: transactions older than ninety days are not found', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00', { 'order-id': 'o1' });
  gateway.advance(89 * DAY);
  expect(gateway.find('order-id=o1').status).toBe(200);
  gateway.advance(2 * DAY);
  expect(gateway.find('order-id=o1').status).toBe(204);
});

test('G9, G36: rows name their batch with leading zeros, and flags as text or JSON booleans', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00', { 'order-id': 'o1' });
  const batch = gateway.model.truth().batches[0]?.id ?? '';
  const [row] = rowsOf(gateway.find('order-id=o1'));
  expect(row?.['batch-string-id']).toMatch(new RegExp(`^0+${batch}$`));
  expect(row?.voided).toBe(false);
  gateway.model.knobs.flags = 'text';
  expect(rowsOf(gateway.find('order-id=o1'))[0]?.voided).toBe('false');
  const detail = transactionOf(gateway.find(`id=${gateway.lastCharge().id}`));
  expect(detail).toMatchObject({ card: '1111', voided: 'false', status: 'Approved' });
});
