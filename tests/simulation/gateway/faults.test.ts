import { expect, test } from 'vitest';
import { CALLS, type Call, FAULTS, type Fault, faultsOf } from './faults.ts';
import { createTestGateway, rowsOf, type TestAnswer, type TestGateway, transactionOf } from './test-world.ts';

const DAY = 24 * 3_600_000;

/** Makes a call of the kind on a gateway where it has an effect. */
function makeCall(gateway: TestGateway, call: Call): TestAnswer {
  const { id } = gateway.lastCharge();
  switch (call) {
    case 'token':
      return gateway.call(
        ...(['POST', '/rest/v2/mobilejwt/manual', { card: '4111111111111111', 'exp-date': '1230' }] as const),
        { 'public-key': 'public-web' },
      );
    case 'sale':
      return gateway.sell('5.00', { 'order-id': 'new' });
    case 'terminal-sale': {
      gateway.model.atReader('desk', 'tap');
      const pending = gateway.startTap('5.00', { 'order-id': 'new' });
      gateway.advance(DAY / 24);
      return gateway.readAnswer(pending);
    }
    case 'ach-sale':
      return gateway.debit('5.00', { 'order-id': 'new' });
    case 'void':
      return gateway.reverse('VOID', id);
    case 'refund':
      return gateway.reverse('REFUND', id, '1.00');
    case 'find':
      return gateway.find('order-id=first');
    case 'ach-find':
      return gateway.call('GET', '/rest/v2/ach/transactions?order-id=debit');
    case 'batches':
      return gateway.call('GET', '/rest/v2/batches');
    case 'open-batch':
      return gateway.call('GET', '/rest/v2/batches/open');
    case 'close':
      return gateway.call('PUT', '/rest/v2/batches/open', {});
    default:
      return gateway.call('GET', '/rest/v2/settings/terminal');
  }
}

/** A gateway with old and recent debits and sales; the last charge is a sale. All durations are fixed. */
function makeBusyGateway(): TestGateway {
  const gateway = createTestGateway();
  const { knobs } = gateway.model;
  Object.assign(knobs, { processMs: [1000, 1000], webhookMs: [2000, 2000], readerMs: [5000, 5000] });
  Object.assign(knobs, { achSettlingMs: [DAY, DAY], achSettledMs: [3 * DAY, 3 * DAY] });
  gateway.debit('5.00', { 'order-id': 'older debit' });
  gateway.sell('5.00', { 'order-id': 'older' });
  gateway.advance(DAY / 12);
  gateway.debit('5.00', { 'order-id': 'debit' });
  gateway.sell('5.00', { 'order-id': 'first' });
  return gateway;
}

/** The response, the final records and the messages sent, once all effects have completed. */
function resultOf(call: Call, fault: Fault | null) {
  const gateway = makeBusyGateway();
  if (fault) gateway.model.faults.add(call, fault);
  const { status, body, at } = makeCall(gateway, call);
  gateway.advance(100 * DAY);
  const { charges, reversals, closes, replays } = gateway.model.truth();
  return { status, body, at, charges, reversals, closes, replays, webhooks: gateway.webhooks };
}

test.each(CALLS.flatMap((call) => faultsOf(call).map((fault) => [call, fault] as const)))(
  'G42: call %s with fault %s differs from the call without it',
  (call, fault) => {
    expect(resultOf(call, fault)).not.toEqual(resultOf(call, null));
  },
);

test.each(CALLS)('the call %s without a fault is deterministic', (call) => {
  expect(resultOf(call, null)).toEqual(resultOf(call, null));
});

const CHARGES = ['sale', 'terminal-sale', 'ach-sale'] as const;
const FAULTS_BEFORE: Fault[] = [
  '500-before',
  'html-502-before',
  'unauthorized',
  'forbidden',
  'rate-limited',
  'redirect',
  'hangs-before',
];

test.each(CHARGES.flatMap((call) => FAULTS_BEFORE.map((fault) => [call, fault] as const)))(
  'G42: %s with %s records nothing',
  (call, fault) => {
    const gateway = makeBusyGateway();
    gateway.model.faults.add(call, fault);
    makeCall(gateway, call);
    expect(gateway.model.truth()).toMatchObject({ charges: [{}, {}, {}, {}], inFlight: [] });
  },
);

const FAULTS_AFTER: Fault[] = ['500-after', 'html-after', 'bad-json-after', 'empty-after', 'xml-after', 'answer-late'];

test.each(CHARGES.flatMap((call) => FAULTS_AFTER.map((fault) => [call, fault] as const)))(
  'G42: %s with %s is still recorded',
  (call, fault) => {
    const gateway = makeBusyGateway();
    gateway.model.faults.add(call, fault);
    const answer = makeCall(gateway, call);
    expect(gateway.lastCharge()).toMatchObject({ orderId: 'new', amountCents: 500 });
    if (fault !== 'answer-late') expect(transactionOf(answer)).toBeUndefined();
  },
);

test('G42: the amount charged, the amount answered and the order named can differ', () => {
  const sellWithFault = (fault: Fault) => {
    const gateway = makeBusyGateway();
    gateway.model.faults.add('sale', fault);
    return { transaction: transactionOf(makeCall(gateway, 'sale')), charge: gateway.lastCharge(), gateway };
  };
  const charged = sellWithFault('wrong-amount-charged');
  expect(charged.charge.amountCents).not.toBe(charged.charge.requestedCents);
  expect(charged.transaction?.amount).toBe((charged.charge.amountCents / 100).toFixed(2));
  expect(sellWithFault('wrong-amount-answered')).toMatchObject({
    transaction: { amount: '1.23' },
    charge: { amountCents: 500 },
  });
  expect(sellWithFault('other-order-answered').transaction?.['order-id']).not.toBe('new');
  expect(sellWithFault('unknown-result').transaction?.result).toBe('ON_HOLD');
  expect(sellWithFault('no-transaction-answered').transaction).toBeUndefined();
  const { charges } = sellWithFault('charged-twice').gateway.model.truth();
  expect(charges.slice(-2)).toMatchObject([{ copyOf: null }, { copyOf: charges.at(-2)?.id, orderId: 'new' }]);
});

test('G42: a clear answer is true: an approval stands, a decline or refusal charged nothing', () => {
  const gateway = createTestGateway(7);
  gateway.model.knobs.faultShare = 0.7;
  for (let count = 0; count < 400; count++) {
    const order = `o${count}`;
    const answer = gateway.sell('5.00', { 'order-id': order });
    gateway.advance(3_600_000);
    const charge = gateway.model.truth().charges.find(({ orderId }) => orderId === order);
    const result = transactionOf(answer)?.result;
    if (answer.status === 200 && result === 'APPROVED') expect(charge?.state).toBe('approved');
    if (answer.status === 402 && result === 'DECLINED') expect(charge?.state).toBe('declined');
    if (answer.status >= 400 && answer.status < 500 && !transactionOf(answer)) expect(charge).toBeUndefined();
  }
  const faults = new Set(gateway.model.faults.history.map(({ fault }) => fault));
  expect([...faults].sort()).toEqual([...FAULTS.sale].sort());
});

test('G42: a stale lookup shows an earlier state, and one that ignores its filter shows other rows', () => {
  const gateway = makeBusyGateway();
  gateway.model.faults.add('find', 'stale');
  expect(gateway.find('order-id=first').status).toBe(204);
  gateway.model.faults.add('find', 'filter-ignored');
  expect(rowsOf(gateway.find('order-id=first')).map((row) => row['order-id'])).toEqual(['first', 'older']);
});

test('a fault waits for its call and terminal, is used once, and an unknown pair is rejected', () => {
  const gateway = createTestGateway();
  gateway.model.faults.add('sale', '500-before', 'other');
  expect(gateway.sell('5.00').status).toBe(200);
  gateway.model.faults.add('sale', '500-before', 'web');
  expect([gateway.sell('5.00').status, gateway.sell('5.00').status]).toEqual([500, 200]);
  expect(gateway.model.faults.history).toMatchObject([{ call: 'sale', fault: '500-before', terminalId: 'web' }]);
  expect(gateway.model.faults.waiting()).toHaveLength(1);
  expect(() => gateway.model.faults.add('find', 'declined')).toThrow(/find/);
});

test('the same seed gives the same history', () => {
  const history = (seed: number) => {
    const gateway = createTestGateway(seed);
    gateway.model.knobs.faultShare = 0.3;
    for (let count = 0; count < 30; count++) gateway.sell('5.00', { 'order-id': `o${count}` });
    gateway.advance(DAY);
    return JSON.stringify([gateway.model.truth(), gateway.webhooks]);
  };
  expect(history(3)).toBe(history(3));
  expect(history(3)).not.toBe(history(4));
});
