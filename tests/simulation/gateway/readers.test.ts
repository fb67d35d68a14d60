import { expect, test } from 'vitest';
import { createTestGateway, errorOf, type TestGateway, transactionOf } from './test-world.ts';

function finish(gateway: TestGateway, amount = '5.00') {
  const pending = gateway.startTap(amount, { 'order-id': 'o1' });
  gateway.advance(200_000);
  return gateway.heard(pending);
}

test('G16: a sale on a reader is answered when the card has been presented', () => {
  const gateway = createTestGateway();
  gateway.model.atReader('desk', 'tap', 20_000);
  const pending = gateway.startTap('5.00', { 'order-id': 'o1' });
  gateway.advance(19_000);
  expect(pending.answer).toBeNull();
  gateway.advance(10_000);
  expect(transactionOf(gateway.heard(pending))).toMatchObject({ result: 'APPROVED', 'order-id': 'o1' });
  expect(gateway.lastCharge()).toMatchObject({ method: 'terminal', terminalId: 'desk', amountCents: 500 });
});

test('G16: a look-up while the reader waits finds nothing', () => {
  const gateway = createTestGateway();
  gateway.model.atReader('desk', 'tap', 60_000);
  gateway.startTap('5.00', { 'order-id': 'o1' });
  gateway.advance(10_000);
  expect(gateway.find('order-id=o1&level=merchant').status).toBe(204);
  expect(gateway.model.truth().inFlight).toMatchObject([{ call: 'terminal-sale', orderId: 'o1' }]);
});

test('G10, G16: a card that is declined on the reader is 402 and recorded as declined', () => {
  const gateway = createTestGateway();
  gateway.model.atReader('desk', 'decline');
  expect(finish(gateway).status).toBe(402);
  expect(gateway.lastCharge().state).toBe('declined');
});

test.each([
  ['cancel', 402, '031'],
  ['none', 402, '031'],
  ['none', 500, '049'],
] as const)('G17: what comes of "%s" at the reader, by %i, leaves no transaction', (act, status, code) => {
  const gateway = createTestGateway();
  gateway.model.knobs.readerGivesUpAs = status;
  gateway.model.atReader('desk', act);
  const answer = finish(gateway);
  expect([answer.status, errorOf(answer)?.['result-code'], transactionOf(answer)]).toEqual([status, code, undefined]);
  expect(gateway.model.truth().charges).toEqual([]);
});

test('G17: only a reader sells in person', () => {
  const gateway = createTestGateway();
  const refused = gateway.call('POST', '/rest/v2/terminal/transactions/sale', {
    type: 'SALE',
    amount: '5.00',
    'software-type': 'Test',
  });
  expect(errorOf(refused)).toMatchObject({ 'result-code': '028' });
});

test('G17: a reader that is offline, or busy, refuses with 400 and 001', () => {
  const gateway = createTestGateway();
  gateway.model.setReader('desk', 'offline');
  expect(errorOf(finish(gateway))).toMatchObject({ 'result-code': '001' });
  gateway.model.setReader('desk', 'online');
  gateway.model.atReader('desk', 'tap', 30_000);
  gateway.startTap('5.00');
  expect(gateway.heard(gateway.startTap('6.00'))).toMatchObject({ status: 400 });
  gateway.advance(60_000);
  expect(gateway.model.truth().charges.map((charge) => charge.amountCents)).toEqual([500]);
});

test('G17: a reader that goes offline while it waits charges nothing', () => {
  const gateway = createTestGateway();
  gateway.model.atReader('desk', 'tap', 30_000);
  gateway.startTap('5.00');
  gateway.model.setReader('desk', 'offline');
  gateway.advance(200_000);
  expect(gateway.model.truth()).toMatchObject({ charges: [], inFlight: [] });
});

test('G18: an answer may hold no more than what is promised', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.terminalAnswer = 'guaranteed';
  gateway.model.atReader('desk', 'tap');
  expect(Object.keys(transactionOf(finish(gateway)) ?? {}).sort()).toEqual(
    ['authorization-code', 'display-message', 'id', 'result-code'].sort(),
  );
});

test('G16: without a plan chance decides what happens at the reader, and every act comes up', () => {
  const gateway = createTestGateway();
  const outcomes = Array.from({ length: 200 }, () => {
    const answer = finish(gateway);
    return errorOf(answer)?.['result-code'] ?? transactionOf(answer)?.['result-code'];
  });
  expect([...new Set(outcomes)].sort()).toEqual(['000', '031', '049', '073']);
});
