import { expect, test } from 'vitest';
import { createTestGateway } from './test-world.ts';

test('G38: a sale, a void and a refund each send a signed notice with the envelope of their answer', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00', { 'order-id': 'o1' });
  gateway.reverse('REFUND', gateway.lastCharge().id, '1.00');
  gateway.sell('6.00');
  gateway.reverse('VOID', gateway.lastCharge().id);
  gateway.advance(60_000);
  const notices = gateway.webhooks.map(
    ({ body }) => JSON.parse(body) as { signature: string; payload: { transaction: { type: string } } },
  );
  expect(notices.map(({ payload }) => payload.transaction.type).sort()).toEqual(['REFUND', 'SALE', 'SALE', 'VOID']);
  expect(notices.every(({ signature }) => signature !== '')).toBe(true);
});

test('G39: notices may arrive out of order', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.webhookMs = [0, 3_600_000];
  for (let count = 0; count < 10; count++) gateway.sell('5.00', { 'order-id': `o${count}` });
  gateway.advance(3_600_000);
  const orders = gateway.webhooks.map(({ body }) => /"order-id":"(o\d)"/.exec(body)?.[1]);
  expect(orders).toHaveLength(10);
  expect(orders).not.toEqual([...orders].sort());
});

test.each([
  ['webhook-lost', 0],
  ['webhook-repeated', 3],
  ['webhook-late', 1],
] as const)('G39: with the fault %s the notice arrives %i times', (fault, times) => {
  const gateway = createTestGateway();
  gateway.model.faults.add('sale', fault);
  gateway.sell('5.00');
  const { at } = gateway.lastCharge();
  gateway.advance(24 * 3_600_000);
  expect(gateway.webhooks).toHaveLength(times);
  if (fault === 'webhook-late') expect((gateway.webhooks[0]?.at ?? 0) - at).toBeGreaterThan(3_599_000);
});

test('G39: a notice may be sent before the answer', () => {
  const gateway = createTestGateway();
  gateway.model.faults.add('sale', 'webhook-first');
  gateway.sell('5.00');
  expect(gateway.webhooks).toMatchObject([{ at: gateway.lastCharge().at }]);
});

test('G40: a notice may be garbled, so it only triggers a look-up', () => {
  const gateway = createTestGateway();
  gateway.model.faults.add('sale', 'webhook-garbled');
  gateway.sell('5.00');
  gateway.advance(60_000);
  expect(() => JSON.parse(gateway.webhooks[0]?.body ?? '')).toThrow();
});

test('G39: a merchant without an address gets no notice', () => {
  const gateway = createTestGateway();
  gateway.model.byHand.sale('other', 500);
  gateway.advance(60_000);
  expect(gateway.webhooks).toEqual([]);
});
