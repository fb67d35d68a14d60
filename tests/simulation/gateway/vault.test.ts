import { describe, expect, test } from 'vitest';
import { createTestGateway, type TestAnswer, type TestGateway, transactionOf } from './test-world.ts';

const KEEP = { 'create-token': 'true' };

/** The token to which an answer links; empty if it links to none. */
function tokenOf({ json }: TestAnswer): string {
  const links = (json.links ?? []) as { rel: string; id: string }[];
  return links.find(({ rel }) => rel === 'token')?.id ?? '';
}

const cardIn = ({ json }: TestAnswer): Record<string, string> | undefined => json.payload?.tokenResponse;
const read = (gateway: TestGateway, token: string, key = 'key-web') =>
  gateway.call('GET', `/rest/v2/tokens/${token}`, undefined, { 'api-key': key });

function gatewayWithToken() {
  const gateway = createTestGateway();
  return { gateway, token: tokenOf(gateway.sell('5.00', KEEP)) };
}

describe('G44: a sale that asks for a token', () => {
  test('G44, G45: links to it, and the vault shows the card', () => {
    const { gateway, token } = gatewayWithToken();
    expect(token).toMatch(/^\d{15}1111$/);
    expect(cardIn(read(gateway, token))).toMatchObject({ 'token-id': token, status: 'Active', 'exp-date': '1249' });
    expect(tokenOf(gateway.sell('5.00'))).toBe('');
  });

  test.each([true, false])('G44: a lookup by id names the token: %s', (lookUpNamesToken) => {
    const { gateway, token } = gatewayWithToken();
    gateway.model.knobs.lookUpNamesToken = lookUpNamesToken;
    expect(tokenOf(gateway.find(`id=${gateway.lastCharge().id}`))).toBe(lookUpNamesToken ? token : '');
  });

  test.each([true, false])('G44: a decline stores the card: %s', (declineStoresCard) => {
    const gateway = createTestGateway();
    gateway.model.knobs.declineStoresCard = declineStoresCard;
    const answer = gateway.sell('5.00', KEEP, gateway.model.issueToken('web', 'declines'));
    expect([answer.status, tokenOf(answer) !== '']).toEqual([402, declineStoresCard]);
    expect(gateway.model.truth().storedCards).toHaveLength(declineStoresCard ? 1 : 0);
  });

  test.each([true, false])('G44: the same card keeps its token: %s', (sameCardSameToken) => {
    const gateway = createTestGateway();
    gateway.model.knobs.sameCardSameToken = sameCardSameToken;
    const [first, second] = [tokenOf(gateway.sell('5.00', KEEP)), tokenOf(gateway.sell('6.00', KEEP))];
    expect(first === second).toBe(sameCardSameToken);
  });

  test('G44: a sale that the gateway charges twice stores one card', () => {
    const gateway = createTestGateway();
    gateway.model.faults.add('sale', 'charged-twice');
    gateway.sell('5.00', KEEP);
    expect(gateway.model.truth()).toMatchObject({ charges: [{}, {}], storedCards: [{}] });
  });
});

describe('G45: a token', () => {
  test.each([
    ['status', 200],
    ['no-content', 204],
    ['not-found', 404],
  ] as const)('G45: is shown after its deletion as the run says: %s', (deletedToken, status) => {
    const { gateway, token } = gatewayWithToken();
    gateway.model.knobs.deletedToken = deletedToken;
    for (const method of ['DELETE', 'PUT'])
      expect(
        gateway.call(method, `/rest/v2/tokens/${token}`, method === 'PUT' ? { status: 'DELETED' } : undefined).status,
      ).toBe(200);
    expect(read(gateway, token).status).toBe(status);
    expect(gateway.model.truth().storedCards).toMatchObject([{ status: 'Deleted', endedAt: expect.any(Number) }]);
  });

  test('G45: belongs to its merchant, or to its terminal as the run says', () => {
    const { gateway, token } = gatewayWithToken();
    expect([read(gateway, token, 'key-desk').status, read(gateway, token, 'key-other').status]).toEqual([200, 404]);
    gateway.model.knobs.tokenReach = 'terminal';
    expect(read(gateway, token, 'key-desk').status).toBe(404);
    expect(gateway.call('PUT', `/rest/v2/tokens/${token}`, { status: 'gone' }).status).toBe(400);
  });
});

describe('G46: a sale with a token', () => {
  test('G46: charges the card under its own order and invoice', () => {
    const { gateway, token } = gatewayWithToken();
    const answer = gateway.chargeStored('7.00', token, { 'order-id': 'stored', invoice: 'INV-9' });
    expect(transactionOf(answer)).toMatchObject({ result: 'APPROVED', amount: '7.00', 'order-id': 'stored' });
    expect(gateway.lastCharge()).toMatchObject({ chargedToken: token, storedAs: null, invoice: 'INV-9' });
    expect(gateway.chargeStored('7.00', '4111111111111111').status).toBe(400);
  });

  test.each([
    [true, 1],
    [false, 2],
  ])('G46: is compared with earlier ones: %s', (dedupeStoredCards, count) => {
    const { gateway, token } = gatewayWithToken();
    gateway.model.knobs.dedupeStoredCards = dedupeStoredCards;
    const fields = { invoice: 'INV-9', 'check-field': 'invoice' };
    for (let time = 1; time <= 2; time++) expect(gateway.chargeStored('7.00', token, fields).status).toBe(200);
    expect(gateway.model.truth().charges.filter(({ invoice }) => invoice === 'INV-9')).toHaveLength(count);
  });

  test.each([
    ['declined', 402],
    ['invalid', 400],
    ['charged', 200],
  ] as const)('G46: an ended token is %s as the run says', (endedTokenSale, status) => {
    const { gateway, token } = gatewayWithToken();
    gateway.model.knobs.endedTokenSale = endedTokenSale;
    expect(gateway.model.byHand.changeCard(token, { status: 'Inactive' })).toBe(true);
    expect(gateway.chargeStored('7.00', token).status).toBe(status);
  });

  test('G46, G47: the issuer declines the card, and every card after its expiry', () => {
    const { gateway, token } = gatewayWithToken();
    gateway.model.byHand.changeCard(token, { card: 'declines' });
    expect(transactionOf(gateway.chargeStored('7.00', token))).toMatchObject({ 'result-code': '023' });
    gateway.model.byHand.changeCard(token, { card: 'approves', expDate: '1225', updateStatus: 'UPDATED' });
    expect(cardIn(read(gateway, token))).toMatchObject({ 'exp-date': '1225', 'token-update-status': 'UPDATED' });
    expect(transactionOf(gateway.chargeStored('7.00', token))).toMatchObject({ 'result-code': '003' });
    expect(gateway.model.byHand.changeCard('none', { card: 'approves' })).toBe(false);
  });
});
