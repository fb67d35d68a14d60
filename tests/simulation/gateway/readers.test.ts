import { expect, test } from 'vitest';
import { createTestGateway, errorOf, type TestGateway, transactionOf } from './test-world.ts';

function finish(gateway: TestGateway, amount = '5.00') {
  const pending = gateway.startTap(amount, { 'order-id': 'o1' });
  gateway.advance(200_000);
  return gateway.readAnswer(pending);
}

test('G16: a sale on a reader is answered once the card has been presented', () => {
  const gateway = createTestGateway();
  gateway.model.atReader('desk', 'tap', 20_000);
  const pending = gateway.startTap('5.00', { 'order-id': 'o1' });
  gateway.advance(19_000);
  expect(pending.answer).toBeNull();
  gateway.advance(10_000);
  expect(transactionOf(gateway.readAnswer(pending))).toMatchObject({ result: 'APPROVED', 'order-id': 'o1' });
  expect(gateway.lastCharge()).toMatchObject({ method: 'terminal', terminalId: 'desk', amountCents: 500 });
});

test('G16: a lookup while the reader waits finds nothing', () => {
  const gateway = createTestGateway();
  gateway.model.atReader('desk', 'tap', 60_000);
  gateway.startTap('5.00', { 'order-id': 'o1' });
  gateway.advance(10_000);
  expect(gateway.find('order-id=o1&level=merchant').status).toBe(204);
  expect(gateway.model.truth().inFlight).toMatchObject([{ call: 'terminal-sale', orderId: 'o1' }]);
});

test('G10, G16: a decline on the reader returns 402 and is recorded as declined', () => {
  const gateway = createTestGateway();
  gateway.model.atReader('desk', 'decline');
  expect(finish(gateway).status).toBe(402);
  expect(gateway.lastCharge().state).toBe('declined');
});

test.each([
  ['cancel', 402, '031'],
  ['none', 402, '031'],
  ['none', 500, '049'],
] as const)('G17: the act "%s" at the reader returns %i and records no transaction', (act, status, code) => {
  const gateway = createTestGateway();
  gateway.model.knobs.readerGivesUpAs = status;
  gateway.model.atReader('desk', act);
  const answer = finish(gateway);
  expect([answer.status, errorOf(answer)?.['result-code'], transactionOf(answer)]).toEqual([status, code, undefined]);
  expect(gateway.model.truth().charges).toEqual([]);
});

test('G17: only a reader can make an in-person sale', () => {
  const gateway = createTestGateway();
  const refused = gateway.call('POST', '/rest/v2/terminal/transactions/sale', {
    type: 'SALE',
    amount: '5.00',
    'software-type': 'Test',
  });
  expect(errorOf(refused)).toMatchObject({ 'result-code': '028' });
});

test('G17: an offline or busy reader refuses with 400 and 001', () => {
  const gateway = createTestGateway();
  gateway.model.setReader('desk', 'offline');
  expect(errorOf(finish(gateway))).toMatchObject({ 'result-code': '001' });
  gateway.model.setReader('desk', 'online');
  gateway.model.atReader('desk', 'tap', 30_000);
  gateway.startTap('5.00');
  expect(gateway.readAnswer(gateway.startTap('6.00'))).toMatchObject({ status: 400 });
  gateway.advance(60_000);
  expect(gateway.model.truth().charges.map((charge) => charge.amountCents)).toEqual([500]);
});

test('G17: a reader that goes offline while waiting charges nothing', () => {
  const gateway = createTestGateway();
  gateway.model.atReader('desk', 'tap', 30_000);
  gateway.startTap('5.00');
  gateway.model.setReader('desk', 'offline');
  gateway.advance(200_000);
  expect(gateway.model.truth()).toMatchObject({ charges: [], inFlight: [] });
});

test('G18: an answer may contain only the guaranteed fields', () => {
  const gateway = createTestGateway();
  gateway.model.knobs.terminalAnswer = 'guaranteed';
  gateway.model.atReader('desk', 'tap');
  expect(Object.keys(transactionOf(finish(gateway)) ?? {}).sort()).toEqual(
    ['authorization-code', 'display-message', 'id', 'result-code'].sort(),
  );
});

test('G16: the outcome at the reader is random without a plan, and every outcome occurs', () => {
  const gateway = createTestGateway();
  const outcomes = Array.from({ length: 200 }, () => {
    const answer = finish(gateway);
    return errorOf(answer)?.['result-code'] ?? transactionOf(answer)?.['result-code'];
  });
  expect([...new Set(outcomes)].sort()).toEqual(['000', '031', '049', '073']);
});
