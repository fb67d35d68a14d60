import { beforeEach, describe, expect, it } from 'vitest';
import { CARD, type Envelope, frontDesk, online, startSandbox, uniqueName } from './start.ts';

const world = await startSandbox();

type TokenReply = { payload: { tokenResponse?: Record<string, string> } };
type Link = { rel: string; href: string; id: string };
type Linked = Envelope & { links?: Link[] };
type VaultRow = { token_id: string; times_used: number; status: string };

beforeEach(async () => {
  await world.control('settings', {
    token_look_up: 'links',
    token_on_decline: 'none',
    token_of_same_card: 'new',
    token_reach: 'merchant',
    token_dedupe: 'checked',
    deleted_token: 'status',
    ended_token_sale: 'declined',
  });
});

const tokenOf = (reply: Linked) => reply.links?.find(({ rel }) => rel === 'token')?.id ?? '';
const keep = async (card: string = CARD.approved, fields: Record<string, unknown> = {}) => {
  const answer = await world.sale(await world.jwt(card), {
    'create-token': 'true',
    invoice: uniqueName('INV'),
    ...fields,
  });
  return answer as typeof answer & { json: Linked };
};
const storedToken = async () => tokenOf((await keep()).json);
const read = (token: string, apiKey = online.apiKey) => world.gateway<TokenReply>(`/rest/v2/tokens/${token}`, apiKey);
const charge = (card: string, body: Record<string, unknown> = {}, apiKey = online.apiKey) =>
  world.post<Linked>(
    '/rest/v2/transactions',
    { type: 'SALE', amount: '75.00', 'software-type': 'test', 'software-type-version': '1', card, ...body },
    { 'api-key': apiKey },
  );
const send = (method: 'PUT' | 'DELETE', token: string, body?: unknown) =>
  world.call<TokenReply>(`/rest/v2/tokens/${token}`, {
    method,
    headers: { 'api-key': online.apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const act = (token: string, action: Record<string, string>) => world.control(`tokens/${token}`, action);
const countTokens = async () => (await world.get<VaultRow[]>('/_sandbox/tokens')).json.length;
const resultOf = (reply: Linked) => reply.payload.transaction?.['result-code'];

describe('a sale that asks for a token', () => {
  it('links to a token, which names the card without its number', async () => {
    const { status, json } = await keep();
    const token = tokenOf(json);
    expect(status).toBe(200);
    expect(token).toMatch(/^\d{15}1111$/);
    expect((await read(token)).json.payload.tokenResponse).toMatchObject({
      'token-id': token,
      status: 'Active',
      'last-four-digits': '1111',
      'card-type': 'VISA',
      'exp-date': '1249',
      'times-used': '0',
    });
  });

  it('stores nothing without being asked', async () => {
    const count = await countTokens();
    const { json } = await keep(CARD.approved, { 'create-token': undefined });
    expect(tokenOf(json)).toBe('');
    expect(await countTokens()).toBe(count);
  });

  it('stores no card of a wallet', async () => {
    const wallet = await world.cardToken(CARD.approved, { wallet: 'APPLE_PAY' });
    const { json } = await world.sale(wallet.json.payload['mobile-jwt']?.jwt ?? '', { 'create-token': 'true' });
    expect(json.payload.transaction?.result).toBe('APPROVED');
    expect(tokenOf(json as Linked)).toBe('');
  });

  it('returns the same token when it is repeated', async () => {
    const fields = { invoice: uniqueName('INV'), 'check-field': 'invoice' };
    const token = tokenOf((await keep(CARD.approved, fields)).json);
    expect(tokenOf((await keep(CARD.approved, fields)).json)).toBe(token);
  });

  it.each([
    ['links', true],
    ['none', false],
  ] as const)('names the token in a look-up by id, by the setting: %s', async (token_look_up, isNamed) => {
    const { json } = await keep();
    await world.control('settings', { token_look_up });
    const found = await world.gateway<Linked>(`/rest/v2/transactions?id=${json.payload.transaction?.id}`);
    expect(tokenOf(found.json)).toBe(isNamed ? tokenOf(json) : '');
  });

  it.each([
    ['none', false],
    ['created', true],
  ] as const)('creates a token when it is declined, by the setting: %s', async (token_on_decline, isCreated) => {
    await world.control('settings', { token_on_decline });
    const { status, json } = await keep(CARD.declined);
    expect(status).toBe(402);
    expect(tokenOf(json) !== '').toBe(isCreated);
  });

  it.each(['new', 'same'] as const)('gives a card that it knows a token by the setting: %s', async (setting) => {
    await world.control('settings', { token_of_same_card: setting });
    const [first, second] = [await storedToken(), await storedToken()];
    expect(second === first).toBe(setting === 'same');
  });
});

describe('a sale with a token', () => {
  it('charges the stored card, from any terminal of the merchant', async () => {
    const token = await storedToken();
    const invoice = uniqueName('INV');
    const { status, json } = await charge(token, { invoice, 'order-id': 'stored' }, frontDesk.apiKey);
    expect(status).toBe(200);
    expect(json.payload.transaction).toMatchObject({
      result: 'APPROVED',
      'last-four': '1111',
      'card-type': 'VISA',
      'order-id': 'stored',
      'entry-method': 'TOKEN',
    });
    expect(tokenOf(json)).toBe('');
    expect((await read(token)).json.payload.tokenResponse?.['times-used']).toBe('1');
    expect(await world.charges(`invoice=${invoice}`)).toHaveLength(1);
  });

  it('is refused at another terminal if tokens belong to their terminal', async () => {
    const token = await storedToken();
    await world.control('settings', { token_reach: 'terminal' });
    expect((await charge(token, {}, frontDesk.apiKey)).status).toBe(400);
    expect((await read(token, frontDesk.apiKey)).status).toBe(404);
    expect((await charge(token)).status).toBe(200);
  });

  it('is refused with a card number or an unknown token', async () => {
    expect((await charge(CARD.approved)).status).toBe(400);
    expect((await charge('1100012345678901111')).status).toBe(400);
  });

  it.each([
    ['checked', 1],
    ['ignored', 2],
  ] as const)('is compared with earlier ones by the setting: %s', async (token_dedupe, count) => {
    await world.control('settings', { token_dedupe });
    const token = await storedToken();
    const invoice = uniqueName('INV');
    const repeated = { invoice, 'check-field': 'invoice', 'check-field-mid': true };
    await charge(token, repeated);
    expect((await charge(token, repeated)).status).toBe(200);
    expect(await world.charges(`invoice=${invoice}`)).toHaveLength(count);
  });

  it.each(['003', '012', '034', '057'])('is declined by the issuer with its reason: %s', async (code) => {
    const token = await storedToken();
    await act(token, { do: 'decline', code });
    const { status, json } = await charge(token);
    expect([status, resultOf(json)]).toEqual([402, code]);
    await act(token, { do: 'approve' });
    expect((await charge(token)).status).toBe(200);
  });

  it('is declined after the card has expired', async () => {
    const token = await storedToken();
    await act(token, { do: 'update', exp_date: '1020' });
    const { status, json } = await charge(token);
    expect([status, resultOf(json)]).toEqual([402, '003']);
  });

  it.each([
    ['declined', 402],
    ['invalid', 400],
    ['charged', 200],
  ] as const)('with an ended token is %s by the setting', async (ended_token_sale, status) => {
    await world.control('settings', { ended_token_sale });
    for (const end of ['delete', 'deactivate']) {
      const token = await storedToken();
      await act(token, { do: end });
      expect((await charge(token)).status).toBe(status);
    }
  });
});

describe('the vault', () => {
  it.each(['PUT', 'DELETE'] as const)('deletes a token, twice without an error: %s', async (method) => {
    const token = await storedToken();
    const body = method === 'PUT' ? { status: 'DELETED' } : undefined;
    for (let time = 1; time <= 2; time++) {
      const { status, json } = await send(method, token, body);
      expect([status, json.payload.tokenResponse?.status]).toEqual([200, 'Deleted']);
    }
  });

  it.each([
    ['status', 200],
    ['no-content', 204],
    ['not-found', 404],
  ] as const)('answers about a deleted token by the setting: %s', async (deleted_token, status) => {
    await world.control('settings', { deleted_token });
    const token = await storedToken();
    await send('DELETE', token);
    expect((await read(token)).status).toBe(status);
  });

  it('changes nothing but the status and the description', async () => {
    const token = await storedToken();
    await send('PUT', token, { status: 'inactive', description: 'kept at the desk', 'exp-date': '0130' });
    expect((await read(token)).json.payload.tokenResponse).toMatchObject({
      status: 'Inactive',
      description: 'kept at the desk',
      'exp-date': '1249',
    });
    expect((await send('PUT', token, { status: 'lost' })).status).toBe(400);
  });

  it('does not know a token that was never given', async () => {
    for (const answer of [await read('1100012345678901111'), await send('DELETE', '1100012345678901111')])
      expect(answer.status).toBe(404);
  });

  it('reports the account updater’s findings', async () => {
    const token = await storedToken();
    await act(token, { do: 'update', exp_date: '0655', last_four: '4242' });
    expect((await read(token)).json.payload.tokenResponse).toMatchObject({
      'token-update-status': 'UPDATED',
      'exp-date': '0655',
      'last-four-digits': '4242',
    });
    await act(token, { do: 'contact' });
    expect((await read(token)).json.payload.tokenResponse?.['token-update-status']).toBe('CONTACT CARD HOLDER');
    await act(token, { do: 'close' });
    expect((await read(token)).json.payload.tokenResponse?.['token-update-status']).toBe('CLOSED');
    expect((await charge(token)).status).toBe(402);
  });

  it('writes no token into the log of requests', async () => {
    const token = await storedToken();
    await read(token);
    const paths = (await world.get<{ path: string }[]>('/_sandbox/requests')).json.map(({ path }) => path);
    expect(paths).toContain('/rest/v2/tokens/…');
    expect(paths.join()).not.toContain(token);
  });
});
