import { afterEach, describe, expect, it, vi } from 'vitest';
import { unsealedCards } from '#tests/support/unit/unsealed-cards';
import { cardToken, clearFaults, control, onlineTerminal, sandboxUrl } from '#tests/support/wire';
import { type ChargeRequest, StoredCardRef } from '../gateway-port.ts';
import { createClearent } from './clearent.ts';
import { monthOf } from './stored-cards.ts';

const createGateway = (overrides: Partial<Parameters<typeof createClearent>[0]> = {}) =>
  createClearent({
    baseUrl: sandboxUrl(),
    sandbox: true,
    timeoutMs: 5000,
    terminalTimeoutMs: 5000,
    openApiKey: async () => onlineTerminal().apiKey,
    ...unsealedCards,
    ...overrides,
  });
const gateway = createGateway();
const terminal = { accountId: 1, terminalId: '70143', sealedApiKey: 'sealed' };
const newId = () => crypto.randomUUID().replaceAll('-', '');
type VaultRow = { token_id: string; status: string; times_used: number };
const vault = () => control<VaultRow[]>('tokens');
const statusOf = async (card: StoredCardRef) =>
  (await vault()).find(({ token_id }) => token_id === card.sealedToken())?.status;
const chargesOnRecord = (attemptId: string) => control<{ result: string }[]>(`charges?order_id=${attemptId}`);

const makeRequest = async (overrides: Partial<ChargeRequest> = {}): Promise<ChargeRequest> => {
  const attemptId = newId();
  return {
    terminal,
    attemptId,
    dedupeKey: `INV-${attemptId.slice(0, 8)}-1`,
    amountCents: 18_400,
    method: 'card',
    token: await cardToken(),
    billing: {
      firstName: 'Marta',
      lastName: 'Núñez',
      address: '1 Elm',
      address2: '',
      city: 'C',
      state: 'IN',
      zip: '46032',
    },
    clientIp: null,
    ...overrides,
  };
};
async function keepCard(): Promise<{ card: StoredCardRef; providerTxnId: string }> {
  const outcome = await gateway.charge(await makeRequest({ keepCardAs: 'card-1' }));
  if (outcome.kind !== 'approved' || !outcome.storedCard) throw new Error(`no card was kept: ${outcome.kind}`);
  return { card: outcome.storedCard, providerTxnId: outcome.txn.id };
}
const chargeRequest = (card: StoredCardRef, overrides: object = {}) => {
  const attemptId = newId();
  return {
    terminal,
    card,
    attemptId,
    dedupeKey: `INV-${attemptId.slice(0, 8)}-1`,
    amountCents: 7_500,
    customer: { firstName: 'Marta', lastName: 'Núñez' },
    ...overrides,
  };
};

afterEach(async () => {
  vi.unstubAllGlobals();
  await control('settings', {
    token_look_up: 'links',
    token_on_decline: 'none',
    token_of_same_card: 'new',
    deleted_token: 'status',
    ended_token_sale: 'declined',
  });
  await clearFaults();
});

describe('a sale that keeps the card', () => {
  it('returns a reference to the card, which neither a log nor JSON reveals', async () => {
    const { card } = await keepCard();
    expect(card.cardId).toBe('card-1');
    expect(card.sealedToken()).toMatch(/^\d{19}$/);
    expect(JSON.stringify({ card })).toBe('{"card":{"cardId":"card-1"}}');
    expect(await gateway.readStoredCard(terminal, card)).toEqual({
      kind: 'active',
      brand: 'VISA',
      lastFour: '1111',
      expiresOn: '2049-12',
    });
  });

  it('seals the token for the id of the card', async () => {
    const sealed: [string, string][] = [];
    const sealCardToken = async (cardId: string, token: string) => {
      sealed.push([cardId, token]);
      return 'sealed';
    };
    const outcome = await createGateway({ sealCardToken }).charge(await makeRequest({ keepCardAs: 'card-2' }));
    expect(outcome).toMatchObject({ kind: 'approved', storedCard: { cardId: 'card-2' } });
    expect(sealed).toEqual([['card-2', expect.stringMatching(/^\d{19}$/)]]);
  });

  it('stores nothing unless the payer agreed', async () => {
    const before = (await vault()).length;
    const outcome = await gateway.charge(await makeRequest());
    expect(outcome).not.toHaveProperty('storedCard');
    expect(await vault()).toHaveLength(before);
  });

  it('names the card that the vault stored for a decline, and deletes nothing', async () => {
    await control('settings', { token_on_decline: 'created' });
    const request = await makeRequest({ keepCardAs: 'card-3', token: await cardToken('4000000000000002') });
    const outcome = await gateway.charge(request);
    if (outcome.kind !== 'declined' || !outcome.storedCard) throw new Error(`no card is named: ${outcome.kind}`);
    expect(outcome.storedCard.cardId).toBe('card-3');
    expect(await statusOf(outcome.storedCard)).toBe('Active');
    expect(await gateway.deleteStoredCard(terminal, outcome.storedCard, [])).toBe('deleted');
    expect(await statusOf(outcome.storedCard)).toBe('Deleted');
  });

  it('is found by its transaction if the response was lost', async () => {
    const { card, providerTxnId } = await keepCard();
    const found = await gateway.findStoredCard(terminal, { providerTxnId, cardId: 'card-1' });
    expect(found).toBeInstanceOf(StoredCardRef);
    expect(found).toMatchObject({ cardId: 'card-1' });
    expect(found instanceof StoredCardRef && found.sealedToken()).toBe(card.sealedToken());
    await control('settings', { token_look_up: 'none' });
    expect(await gateway.findStoredCard(terminal, { providerTxnId, cardId: 'card-1' })).toBe('none');
    await control('faults', { on: '/rest/v2/transactions', do: '500' });
    expect(await gateway.findStoredCard(terminal, { providerTxnId, cardId: 'card-1' })).toBe('unavailable');
  });
});

describe('a charge of a stored card', () => {
  it('is approved once, under its order id, and a repetition of its key and amount returns the original', async () => {
    const { card } = await keepCard();
    const request = chargeRequest(card);
    const outcome = await gateway.chargeStoredCard(request);
    expect(outcome).toMatchObject({
      kind: 'approved',
      txn: { attemptId: request.attemptId, dedupeKey: request.dedupeKey, amountCents: 7_500, lastFour: '1111' },
    });
    expect(await gateway.find(terminal, 'card', { attemptId: request.attemptId })).toMatchObject([{ kind: 'SALE' }]);
    const repeated = await gateway.chargeStoredCard({ ...request, attemptId: newId() });
    expect(repeated.kind).toBe('unknown');
    expect((await vault()).find(({ token_id }) => token_id === card.sealedToken())?.times_used).toBe(1);
  });

  it('is declined with the issuer’s reason', async () => {
    const { card } = await keepCard();
    await control(`tokens/${card.sealedToken()}`, { do: 'decline', code: '012' });
    const request = chargeRequest(card);
    expect(await gateway.chargeStoredCard(request)).toMatchObject({ kind: 'declined' });
    expect((await chargesOnRecord(request.attemptId)).map(({ result }) => result)).toEqual(['DECLINED']);
  });

  it.each(['500', 'drop-before', 'drop-after', 'bad-json', 'wrong-amount'])('is unknown after %s', async (fault) => {
    const { card } = await keepCard();
    await control('faults', { on: '/rest/v2/transactions', do: fault });
    const outcome = await createGateway({ timeoutMs: 800 }).chargeStoredCard(chargeRequest(card));
    expect(outcome.kind).toBe('unknown');
  });

  it('is rejected because of the token if the gateway does not accept it', async () => {
    const { card } = await keepCard();
    await control('settings', { ended_token_sale: 'invalid' });
    await control(`tokens/${card.sealedToken()}`, { do: 'delete' });
    const request = chargeRequest(card);
    expect(await gateway.chargeStoredCard(request)).toMatchObject({ kind: 'rejected', reason: 'token' });
    expect(await chargesOnRecord(request.attemptId)).toEqual([]);
  });

  it('sends nothing if the token or the key of the terminal cannot be opened', async () => {
    const { card } = await keepCard();
    const fail = () => Promise.reject(new Error('sealed'));
    const request = chargeRequest(card);
    expect(await createGateway({ openCardToken: fail }).chargeStoredCard(request)).toMatchObject({
      kind: 'rejected',
      reason: 'token',
    });
    expect(await createGateway({ openApiKey: fail }).chargeStoredCard(request)).toMatchObject({
      kind: 'rejected',
      reason: 'credentials',
    });
    expect(await chargesOnRecord(request.attemptId)).toEqual([]);
  });
});

describe('the state of a stored card', () => {
  it.each(['status', 'no-content', 'not-found'])('has ended once it is deleted, shown by %s', async (deleted_token) => {
    const { card } = await keepCard();
    expect(await gateway.deleteStoredCard(terminal, card, [])).toBe('deleted');
    expect(await statusOf(card)).toBe('Deleted');
    await control('settings', { deleted_token });
    expect(await gateway.readStoredCard(terminal, card)).toEqual({ kind: 'ended' });
    expect(await gateway.deleteStoredCard(terminal, card, [])).toBe('deleted');
  });

  it('has ended if the provider deactivated it or does not know it', async () => {
    const { card } = await keepCard();
    await control(`tokens/${card.sealedToken()}`, { do: 'deactivate' });
    expect(await gateway.readStoredCard(terminal, card)).toEqual({ kind: 'ended' });
    expect(await gateway.readStoredCard(terminal, new StoredCardRef('x', '1100000000000000000'))).toEqual({
      kind: 'ended',
    });
  });

  it('has the expiry that the account updater found', async () => {
    const { card } = await keepCard();
    await control(`tokens/${card.sealedToken()}`, { do: 'update', exp_date: '0452' });
    expect(await gateway.readStoredCard(terminal, card)).toMatchObject({ expiresOn: '2052-04' });
  });

  it('is unavailable without a readable answer, and so is its deletion', async () => {
    const { card } = await keepCard();
    await control('faults', { on: '/rest/v2/tokens', do: '500', times: 5 });
    expect(await gateway.readStoredCard(terminal, card)).toEqual({ kind: 'unavailable' });
    expect(await gateway.deleteStoredCard(terminal, card, [])).toBe('unavailable');
    const sealed = createGateway({ openCardToken: () => Promise.reject(new Error('sealed')) });
    expect(await sealed.readStoredCard(terminal, card)).toEqual({ kind: 'unavailable' });
    expect(await sealed.deleteStoredCard(terminal, card, [])).toBe('unavailable');
    await clearFaults();
    expect(await statusOf(card)).toBe('Active');
  });

  it('stays in the vault while another card has the same token', async () => {
    await control('settings', { token_of_same_card: 'same' });
    const { card } = await keepCard();
    const other = new StoredCardRef('other', card.sealedToken());
    expect(await gateway.deleteStoredCard(terminal, card, [other])).toBe('deleted');
    expect(await statusOf(card)).toBe('Active');
    expect(await gateway.deleteStoredCard(terminal, other, [])).toBe('deleted');
    expect(await statusOf(card)).toBe('Deleted');
  });

  it('stays in the vault while the token of a kept card cannot be opened', async () => {
    const { card } = await keepCard();
    const openCardToken = async (cardId: string, sealedToken: string) => {
      if (cardId === 'sealed') throw new Error('sealed');
      return sealedToken;
    };
    const sealed = new StoredCardRef('sealed', 'sealed');
    expect(await createGateway({ openCardToken }).deleteStoredCard(terminal, card, [sealed])).toBe('unavailable');
    expect(await statusOf(card)).toBe('Active');
  });
});

it('reads the gateway’s spellings of an expiry, and nothing else', () => {
  expect(['0429', '04/29', '1299', '1329', '429', ''].map(monthOf)).toEqual([
    '2029-04',
    '2029-04',
    '2099-12',
    '',
    '',
    '',
  ]);
});
