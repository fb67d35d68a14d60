import { expect, test } from 'vitest';
import { createTestGateway, rowsOf, transactionOf } from './test-world.ts';

const DAY = 24 * 3_600_000;

test('G23, G24: an accepted debit is pending, then settling, then settled', () => {
  const gateway = createTestGateway();
  expect(transactionOf(gateway.debit('5.00', { 'order-id': 'o1' }))).toMatchObject({ status: 'Pending' });
  const statuses: (string | undefined)[] = [];
  for (const days of [0, 1.5, 3]) {
    gateway.advance(days * DAY);
    statuses.push(rowsOf(gateway.call('GET', '/rest/v2/ach/transactions?order-id=o1'))[0]?.status);
  }
  expect(statuses).toEqual(['Pending', 'Settling', 'Settled']);
  expect(gateway.lastCharge()).toMatchObject({ method: 'ach', state: 'settled', batchId: null });
});

test('G24: debits are not among card transactions, nor card transactions among debits', () => {
  const gateway = createTestGateway();
  gateway.debit('5.00', { 'order-id': 'debit' });
  gateway.sell('5.00', { 'order-id': 'card' });
  expect(gateway.find('order-id=debit').status).toBe(204);
  expect(gateway.call('GET', '/rest/v2/ach/transactions?order-id=card').status).toBe(204);
});

test.each([
  ['returned', 2, null],
  ['returned-after-settled', 70, 'R10'],
] as const)('G25: a debit with the fate "%s" is returned within %i days', (fault, days, code) => {
  const gateway = createTestGateway();
  gateway.model.faults.add('ach-sale', fault);
  gateway.debit('5.00', { 'order-id': 'o1' });
  gateway.advance(days * DAY);
  const charge = gateway.lastCharge();
  expect(charge).toMatchObject({ state: 'returned', returnCode: code ?? 'R01', returnedAt: expect.any(Number) });
  expect(charge.settledAt === null).toBe(fault === 'returned');
  gateway.advance(80 * DAY);
  expect(gateway.lastCharge().state).toBe('returned');
});

test.each([
  ['debit-cancelled', 'voided', ['Cancelled']],
  ['debit-unlisted', 'voided', []],
  ['debit-on-hold', 'pending', ['On Hold']],
] as const)('G24: a debit with the fate "%s" moves no money and shows that status', (fault, state, listedStatuses) => {
  const gateway = createTestGateway();
  gateway.model.faults.add('ach-sale', fault);
  gateway.debit('5.00', { 'order-id': 'o1' });
  gateway.advance(30 * DAY);
  expect(gateway.lastCharge()).toMatchObject({ state, settledAt: null });
  const answer = gateway.call('GET', '/rest/v2/ach/transactions?order-id=o1');
  expect(answer.status === 204 ? [] : rowsOf(answer).map(({ status }) => status)).toEqual(listedStatuses);
});

test('G25: random shares return some debits before and some after they are settled', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.achReturned = { before: 0.3, after: 0.3 };
  for (let count = 0; count < 40; count++) gateway.debit('5.00');
  gateway.advance(80 * DAY);
  const ends = gateway.model.truth().charges.map((charge) => `${charge.state} ${charge.returnCode}`);
  expect([...new Set(ends)].sort()).toEqual(['returned R01', 'returned R10', 'settled null']);
});

test('G25: a debit can be returned by hand at any age, once', () => {
  const gateway = createTestGateway();
  gateway.debit('5.00');
  gateway.advance(30 * DAY);
  const { id } = gateway.lastCharge();
  expect([gateway.model.byHand.returnDebit(id, 'R02'), gateway.model.byHand.returnDebit(id)]).toEqual([true, false]);
  expect(gateway.lastCharge()).toMatchObject({ state: 'returned', returnCode: 'R02' });
});

test('G41: each step of a debit sends a notice in its own format', () => {
  const gateway = createTestGateway();
  gateway.model.faults.add('ach-sale', 'returned');
  gateway.debit('5.00');
  gateway.advance(5 * DAY);
  const notice = JSON.parse(gateway.webhooks.at(-1)?.body ?? '') as { Payload: object };
  const isWrapped = 'Payload' in notice.Payload;
  expect(isWrapped ? notice.Payload : notice).toMatchObject({
    PayLoadType: 'ach.status.returned',
    Payload: {
      transaction_id: gateway.lastCharge().id,
      new_status: 'Returned',
      return_reason_code: 'R01',
      amount: '5.00',
    },
  });
});
