import { expect, test } from 'vitest';
import { createTestGateway, errorOf, transactionOf } from './test-world.ts';

const SALE = '/rest/v2/mobile/transactions/sale';

test('G2: an unknown key is refused without an exchange id, and nothing is attempted', () => {
  const gateway = createTestGateway();
  const jwt = gateway.model.issueToken('web');
  const { status, json } = gateway.call('POST', SALE, {}, { 'api-key': 'wrong', mobilejwt: jwt });
  expect(status).toBe(401);
  expect(json.payload).toMatchObject({ error: { 'result-code': '042', 'error-message': 'UNAUTHORIZED' } });
  expect(json).not.toHaveProperty('exchange-id');
  expect(gateway.model.truth().charges).toEqual([]);
});

test('G2: a key cannot read or reverse another merchant’s transactions', () => {
  const gateway = createTestGateway();
  gateway.sell('5.00', { 'order-id': 'a' });
  const otherKey = { 'api-key': 'key-other' };
  expect(gateway.call('GET', '/rest/v2/transactions?order-id=a&level=merchant', undefined, otherKey).status).toBe(204);
  const voided = gateway.call('POST', '/rest/v2/transactions', { type: 'VOID', id: gateway.lastCharge().id }, otherKey);
  expect([voided.status, errorOf(voided)?.['result-code']]).toEqual([402, '027']);
  expect(gateway.lastCharge().state).toBe('approved');
});

test('G1, G3: an unknown path returns 404, a wrong method 405, and a caller that accepts no JSON gets XML', () => {
  const gateway = createTestGateway();
  expect(gateway.call('GET', '/rest/v2/nowhere').status).toBe(404);
  expect(gateway.call('DELETE', '/rest/v2/batches').status).toBe(405);
  expect(gateway.call('GET', '/rest/v2/batches', undefined, { accept: 'text/html' }).body).toMatch(/^</);
});

test.each([
  ['a numeric amount', { amount: 5 }],
  ['an amount without decimals', { amount: '5' }],
  ['an amount of zero', { amount: '0.00' }],
  ['an unknown type', { type: 'AUTH' }],
  ['a missing software type', { 'software-type': undefined }],
  ['an invoice of 101 characters', { invoice: 'x'.repeat(101) }],
])('G4: %s is refused with 400 and 041, and nothing is charged', (_case, fields) => {
  const gateway = createTestGateway();
  const refused = gateway.sell('5.00', fields);
  expect([refused.status, errorOf(refused)?.['result-code']]).toEqual([400, '041']);
  expect(gateway.model.truth().charges).toEqual([]);
});

test('G4: an unreadable body returns 400 and 011', () => {
  const gateway = createTestGateway();
  const headers = new Headers({ 'api-key': 'key-web', accept: 'application/json' });
  const url = new URL(`https://gateway.test${SALE}`);
  const answer = gateway.model.receive({ method: 'POST', url, headers, body: '{' });
  expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('"result-code":"011"') });
});

test('G5, G9, G10: an approved sale has its envelope, numbers as text, and no null member', () => {
  const gateway = createTestGateway();
  const answer = gateway.sell('15.55', { 'order-id': 'o1', invoice: 'INV-1-0', billing: { 'first-name': 'Ann' } });
  expect(answer.json).toMatchObject({ code: '200', status: 'success', payload: { payloadType: 'transaction' } });
  expect(answer.json['exchange-id']).toEqual(expect.any(String));
  expect(transactionOf(answer)).toMatchObject({
    amount: '15.55',
    result: 'APPROVED',
    type: 'SALE',
    'result-code': '000',
    'order-id': 'o1',
    invoice: 'INV-1-0',
    card: 'XXXXXXXXXXXX1111',
    billing: { 'first-name': 'Ann' },
    'merchant-id': 'M1',
    'terminal-id': 'web',
    created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/),
    'batch-string-id': expect.stringMatching(/^0/),
  });
  expect(answer.body).not.toContain('null');
});

test('G6, G10: a decline returns 402 with the transaction and the error, and charges nothing', () => {
  const gateway = createTestGateway();
  for (const declined of [
    gateway.sell('0.21'),
    gateway.sell('9.00', {}, gateway.model.issueToken('web', 'declines')),
  ]) {
    expect(declined.status).toBe(402);
    expect(transactionOf(declined)?.result).toBe('DECLINED');
    expect(errorOf(declined)?.['result-code']).not.toBe(transactionOf(declined)?.['result-code']);
    expect(errorOf(declined)?.['error-message']).not.toBe('');
  }
  expect(gateway.model.truth().charges.map((charge) => charge.state)).toEqual(['declined', 'declined']);
});

test('G10: the third test card returns 500 and records nothing', () => {
  const gateway = createTestGateway();
  expect(gateway.sell('9.00', {}, gateway.model.issueToken('web', 'fails')).status).toBe(500);
  expect(gateway.model.truth().charges).toEqual([]);
});

test('G8: a token works once, expires, and is valid only for its merchant and payment method', () => {
  const gateway = createTestGateway();
  const jwt = gateway.model.issueToken('web');
  expect(gateway.sell('5.00', {}, jwt).status).toBe(200);
  expect(gateway.sell('5.00', {}, jwt).status).toBe(400);
  const old = gateway.model.issueToken('web');
  gateway.advance(gateway.model.knobs.tokenLifeMs);
  expect(gateway.sell('5.00', {}, old).status).toBe(400);
  expect(gateway.sell('5.00', {}, gateway.model.issueToken('web', 'ach')).status).toBe(400);
  expect(gateway.sell('5.00', {}, gateway.model.issueToken('other')).status).toBe(400);
  expect(gateway.model.truth().charges).toHaveLength(1);
});

test('G8: the card fields get a token with the public key, and the card decides its result', () => {
  const gateway = createTestGateway();
  const manual = (card: string) =>
    gateway.call('POST', '/rest/v2/mobilejwt/manual', { card, 'exp-date': '1230' }, { 'public-key': 'public-web' });
  const token = (card: string) => (manual(card).json.payload?.['mobile-jwt'] as { jwt: string } | undefined)?.jwt;
  expect(gateway.sell('5.00', {}, token('4111111111111111')).status).toBe(200);
  expect(gateway.sell('5.00', {}, token('4000000000000002')).status).toBe(402);
  expect(gateway.sell('5.00', {}, token('4000000000000119')).status).toBe(500);
  expect(manual('41').status).toBe(400);
});

test.each([
  ['arrival', 1],
  ['commit', 1],
] as const)('G8: two calls with one token charge once, with the token spent on %s', (tokenUsedAt, charges) => {
  const gateway = createTestGateway();
  gateway.model.knobs.tokenUsedAt = tokenUsedAt;
  const jwt = gateway.model.issueToken('web');
  gateway.startSale('5.00', {}, jwt);
  gateway.startSale('5.00', {}, jwt);
  gateway.advance(60_000);
  expect(gateway.model.truth().charges).toHaveLength(charges);
});

test('G8: a declined sale may be configured not to spend its token', () => {
  const gateway = createTestGateway();
  const jwt = gateway.model.issueToken('web');
  gateway.model.knobs.declineUsesToken = false;
  expect(gateway.sell('0.21', {}, jwt).status).toBe(402);
  expect(gateway.sell('5.00', {}, jwt).status).toBe(200);
});

test('G43: a key returns its terminal’s settings', () => {
  const gateway = createTestGateway();
  const { json } = gateway.call('GET', '/rest/v2/settings/terminal', undefined, { 'api-key': 'key-desk' });
  const settings = { 'merchant-id': 'M1', 'terminal-id': 'desk', 'commerce-type': 'RETAIL' };
  expect(json.payload).toMatchObject({ 'terminal-settings': settings });
});
