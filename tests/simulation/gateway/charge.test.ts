import { expect, test } from 'vitest';
import { createTestGateway, errorOf, transactionOf } from './test-world.ts';

const KEYED = { invoice: 'INV-7-0', 'check-field': 'invoice', 'check-field-mid': true };

test('G15: a charge is in flight between arrival and effect, and takes effect even if the caller is gone', () => {
  const gateway = createTestGateway();
  gateway.startSale('5.00', { 'order-id': 'o1' });
  const { charges, inFlight } = gateway.model.truth();
  expect(charges).toEqual([]);
  expect(inFlight).toMatchObject([{ call: 'sale', orderId: 'o1', amountCents: 500 }]);
  expect(gateway.call('GET', '/rest/v2/batches').status).toBe(204);
  gateway.advance(10_000);
  expect(gateway.model.truth()).toMatchObject({ charges: [{ state: 'approved', amountCents: 500 }], inFlight: [] });
});

test('G15: a late charge takes effect minutes after it arrived', () => {
  const gateway = createTestGateway();
  gateway.model.faults.add('sale', 'late');
  gateway.startSale('5.00');
  gateway.advance(50_000);
  expect(gateway.model.truth().charges).toEqual([]);
  gateway.advance(25 * 60_000);
  expect(gateway.model.truth().charges).toHaveLength(1);
});

test('G11: two charges may have the same order id', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00', { 'order-id': 'same' });
  gateway.sell('5.00', { 'order-id': 'same' });
  expect(gateway.model.truth().charges).toHaveLength(2);
});

test('G12, G14: a repeated invoice value and amount returns the original, unmarked, and charges nothing', () => {
  const gateway = createTestGateway();
  const first = gateway.sell('5.00', { ...KEYED, 'order-id': 'o1' });
  const second = gateway.sell('5.00', { ...KEYED, 'order-id': 'o2' });
  expect(second.status).toBe(200);
  expect(transactionOf(second)).toEqual(transactionOf(first));
  const { charges, replays } = gateway.model.truth();
  expect(charges).toHaveLength(1);
  expect(replays).toMatchObject([{ orderId: 'o2', chargeId: charges[0]?.id }]);
});

test.each([
  ['another amount', { amount: '6.00' }],
  ['another value', { invoice: 'INV-7-1' }],
  ['no check-field', { 'check-field': undefined }],
  ['the order id as check-field', { 'check-field': 'order-id' }],
])('G12: %s is not treated as a repeat', (_case, fields) => {
  const gateway = createTestGateway();
  gateway.sell('5.00', KEYED);
  gateway.sell('5.00', { ...KEYED, ...fields });
  expect(gateway.model.truth().charges).toHaveLength(2);
});

test('G12: a declined charge does not count as paid, so the next one with its value charges', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00', KEYED, gateway.model.issueToken('web', 'declines'));
  expect(gateway.sell('5.00', KEYED).status).toBe(200);
  expect(gateway.model.truth().charges.map((charge) => charge.state)).toEqual(['declined', 'approved']);
});

test('G12: only check-field-mid compares with the merchant’s other terminals', () => {
  for (const [isMerchantWide, charges] of [
    [true, 1],
    [false, 2],
  ] as const) {
    const gateway = createTestGateway();
    gateway.sell('5.00', { ...KEYED, 'check-field-mid': isMerchantWide });
    gateway.model.atReader('desk', 'tap');
    gateway.startTap('5.00', { ...KEYED, 'check-field-mid': isMerchantWide });
    gateway.advance(60_000);
    expect(gateway.model.truth().charges).toHaveLength(charges);
  }
});

test('G12: the duplicate check may ignore the amount, or compare the card as well', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.dedupeCompares = { amount: false, card: false };
  gateway.sell('5.00', KEYED);
  gateway.sell('6.00', KEYED);
  expect(gateway.model.truth().charges).toHaveLength(1);
  gateway.model.knobs.dedupeCompares = { amount: true, card: true };
  const manual = { card: '4111111111112222', 'exp-date': '1230' };
  const answer = gateway.call('POST', '/rest/v2/mobilejwt/manual', manual, { 'public-key': 'public-web' });
  gateway.sell('5.00', KEYED, (answer.json.payload?.['mobile-jwt'] as { jwt: string } | undefined)?.jwt);
  expect(gateway.model.truth().charges).toHaveLength(2);
});

test.each([
  ['none', 2, 2],
  ['arrival', 2, 1],
  ['commit', 1, 1],
] as const)(
  'G13: with dedupe %s two concurrent calls charge %i times, two sequential ones %i',
  (dedupe, concurrentCharges, sequentialCharges) => {
    const gateway = createTestGateway();
    gateway.model.knobs.dedupe = dedupe;
    gateway.startSale('5.00', KEYED);
    gateway.startSale('5.00', KEYED);
    gateway.advance(60_000);
    expect(gateway.model.truth().charges).toHaveLength(concurrentCharges);
    const otherKey = { ...KEYED, invoice: 'INV-8-0' };
    gateway.sell('5.00', otherKey);
    gateway.sell('5.00', otherKey);
    expect(gateway.model.truth().charges).toHaveLength(concurrentCharges + sequentialCharges);
  },
);

test('G13: a voided charge may or may not still count as paid', () => {
  for (const [isCounted, charges] of [
    [true, 1],
    [false, 2],
  ] as const) {
    const gateway = createTestGateway();
    gateway.model.knobs.dedupeCounts.voided = isCounted;
    gateway.sell('5.00', KEYED);
    gateway.reverse('VOID', gateway.lastCharge().id);
    gateway.sell('5.00', KEYED);
    expect(gateway.model.truth().charges).toHaveLength(charges);
  }
});

test('G13: the duplicate check may see a charge only after a lag', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.dedupeLagMs = 60_000;
  gateway.sell('5.00', KEYED);
  gateway.sell('5.00', KEYED);
  expect(gateway.model.truth().charges).toHaveLength(2);
});

test('G14: a merchant configured for errors gets 402 with 032 and no transaction for a repeat', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.dedupeAnswer = 'error';
  gateway.sell('5.00', KEYED);
  const second = gateway.sell('5.00', KEYED);
  expect([second.status, errorOf(second)?.['result-code'], transactionOf(second)]).toEqual([402, '032', undefined]);
});
