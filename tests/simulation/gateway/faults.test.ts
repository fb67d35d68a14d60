import { expect, test } from 'vitest';
import { CALLS, type Call, FAULTS, type Fault, faultsOf } from './faults.ts';
import { createTestGateway, type Heard, rowsOf, type TestGateway, transactionOf } from './test-world.ts';

const DAY = 24 * 3_600_000;

/** One call of each kind, on a gateway where it would do something. */
function make(gateway: TestGateway, call: Call): Heard {
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
      return gateway.heard(pending);
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

/** A gateway with old and fresh debits and sales; the last charge is a sale. Only faults are left to chance. */
function busy(): TestGateway {
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
function after(call: Call, fault: Fault | null) {
  const gateway = busy();
  if (fault) gateway.model.faults.add(call, fault);
  const { status, body, at } = make(gateway, call);
  gateway.advance(100 * DAY);
  const { charges, reversals, closes, replays } = gateway.model.truth();
  return { status, body, at, charges, reversals, closes, replays, sent: gateway.sent };
}

test.each(CALLS.flatMap((call) => faultsOf(call).map((fault) => [call, fault] as const)))(
  'G42: call %s with fault %s differs from the call without it',
  (call, fault) => {
    expect(after(call, fault)).not.toEqual(after(call, null));
  },
);

test.each(CALLS)('the call %s without a fault is deterministic', (call) => {
  expect(after(call, null)).toEqual(after(call, null));
});

const CHARGES = ['sale', 'terminal-sale', 'ach-sale'] as const;
const KEPT_OFF: Fault[] = [
  '500-before',
  'html-502-before',
  'unauthorized',
  'forbidden',
  'rate-limited',
  'redirect',
  'hangs-before',
];

test.each(CHARGES.flatMap((call) => KEPT_OFF.map((fault) => [call, fault] as const)))(
  'G42: %s with %s records nothing',
  (call, fault) => {
    const gateway = busy();
    gateway.model.faults.add(call, fault);
    make(gateway, call);
    expect(gateway.model.truth()).toMatchObject({ charges: [{}, {}, {}, {}], inFlight: [] });
  },
);

const UNREAD: Fault[] = ['500-after', 'html-after', 'bad-json-after', 'empty-after', 'xml-after', 'answer-late'];

test.each(CHARGES.flatMap((call) => UNREAD.map((fault) => [call, fault] as const)))(
  'G42: %s with %s is still recorded',
  (call, fault) => {
    const gateway = busy();
    gateway.model.faults.add(call, fault);
    const answer = make(gateway, call);
    expect(gateway.lastCharge()).toMatchObject({ orderId: 'new', amountCents: 500 });
    if (fault !== 'answer-late') expect(transactionOf(answer)).toBeUndefined();
  },
);

test('G42: the amount charged, the amount answered and the order named can differ', () => {
  const meet = (fault: Fault) => {
    const gateway = busy();
    gateway.model.faults.add('sale', fault);
    return { transaction: transactionOf(make(gateway, 'sale')), charge: gateway.lastCharge(), gateway };
  };
  const charged = meet('wrong-amount-charged');
  expect(charged.charge.amountCents).not.toBe(charged.charge.askedCents);
  expect(charged.transaction?.amount).toBe((charged.charge.amountCents / 100).toFixed(2));
  expect(meet('wrong-amount-answered')).toMatchObject({
    transaction: { amount: '1.23' },
    charge: { amountCents: 500 },
  });
  expect(meet('other-order-answered').transaction?.['order-id']).not.toBe('new');
  expect(meet('unknown-result').transaction?.result).toBe('ON_HOLD');
  expect(meet('no-transaction-answered').transaction).toBeUndefined();
  const { charges } = meet('charged-twice').gateway.model.truth();
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
    const word = transactionOf(answer)?.result;
    if (answer.status === 200 && word === 'APPROVED') expect(charge?.state).toBe('approved');
    if (answer.status === 402 && word === 'DECLINED') expect(charge?.state).toBe('declined');
    if (answer.status >= 400 && answer.status < 500 && !transactionOf(answer)) expect(charge).toBeUndefined();
  }
  const met = new Set(gateway.model.faults.met.map(({ fault }) => fault));
  expect([...met].sort()).toEqual([...FAULTS.sale].sort());
});

test('G42: a stale lookup shows an earlier state, and one that ignores its filter shows other rows', () => {
  const gateway = busy();
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
  expect(gateway.model.faults.met).toMatchObject([{ call: 'sale', fault: '500-before', terminalId: 'web' }]);
  expect(gateway.model.faults.waiting()).toHaveLength(1);
  expect(() => gateway.model.faults.add('find', 'declined')).toThrow(/find/);
});

test('the same seed gives the same history', () => {
  const history = (seed: number) => {
    const gateway = createTestGateway(seed);
    gateway.model.knobs.faultShare = 0.3;
    for (let count = 0; count < 30; count++) gateway.sell('5.00', { 'order-id': `o${count}` });
    gateway.advance(DAY);
    return JSON.stringify([gateway.model.truth(), gateway.sent]);
  };
  expect(history(3)).toBe(history(3));
  expect(history(3)).not.toBe(history(4));
});
