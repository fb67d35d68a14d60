import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHubSpot } from '#worker/vendors/hubspot/hubspot';
import { CrmError } from '#worker/vendors/hubspot/port';
import { fetchFrom, quietWorld } from '../straight-line.ts';
import { type CrmFault, createCrm } from './crm.ts';

const app = { baseUrl: 'https://crm.example', clientId: 'client', clientSecret: 'secret' };
const [ACCOUNT, OTHER_ACCOUNT] = [7, 8];

afterEach(() => vi.unstubAllGlobals());

/** An account with one invoice, accessed through the product's own adapter. */
function makeWorld({ rotates = false, patienceMs = 10_000 } = {}) {
  const world = quietWorld();
  const crm = createCrm(world, app);
  const tokens = crm.connect(ACCOUNT, { rotates });
  crm.add({
    accountId: ACCOUNT,
    invoiceId: '501',
    number: 'INV-501',
    balance: '120.00',
    contact: { id: '31', firstName: 'Ana', lastName: 'Pál', email: 'ana@payer.example' },
    company: { id: '41', name: 'Pál & Co', address: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' },
  });
  vi.stubGlobal('fetch', fetchFrom(world, crm, patienceMs));
  const hubSpot = createHubSpot({
    ...app,
    authorizeBase: app.baseUrl,
    redirectUri: 'https://product.example/oauth',
    timeoutMs: 60_000,
  });
  const read = () => hubSpot.getInvoice(tokens.accessToken, '501', { timeZone: 'UTC' });
  return { world, crm, hubSpot, tokens, read };
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (cause: unknown) => (cause instanceof CrmError ? cause.reason : String(cause)),
  );

describe('a simulated CRM invoice', () => {
  it('is read with its contact and its company', async () => {
    const { read } = makeWorld();
    expect(await read()).toMatchObject({
      id: '501',
      number: 'INV-501',
      status: 'open',
      currency: 'USD',
      balanceCents: 12_000,
      contact: { firstName: 'Ana', lastName: 'Pál', email: 'ana@payer.example' },
      company: { name: 'Pál & Co', city: 'Austin', zip: '78701' },
    });
  });

  it('is readable without a contact or a company', async () => {
    const { crm, hubSpot, tokens } = makeWorld();
    crm.add({ accountId: ACCOUNT, invoiceId: '502', number: 'INV-502', balance: '1' });
    expect(await hubSpot.getInvoice(tokens.accessToken, '502', { timeZone: 'UTC' })).toMatchObject({
      contactId: '',
      companyId: '',
    });
  });

  it('has the balance that staff set last, with the time of the change in its history', async () => {
    const { world, crm, read } = makeWorld();
    const startedAt = world.now();
    await read();
    world.pass(60_000);
    crm.edit(ACCOUNT, '501', { balance: '80.5' });
    expect(await read()).toMatchObject({ balanceCents: 8_050 });
    const [invoice] = crm.truth().invoices;
    expect(invoice?.history.map(({ at, balance }) => [at >= startedAt + 60_000, balance])).toEqual([
      [false, '120.00'],
      [true, '80.5'],
    ]);
    expect(crm.truth().reads.map(({ seq, balance }) => [seq, balance])).toEqual([
      [1, '120.00'],
      [2, '80.5'],
    ]);
  });

  it.each(['abc', '1.005', '', null])(
    'is returned without a balance if the balance is not a plain decimal (%s)',
    async (balance) => {
      const { crm, read } = makeWorld();
      crm.edit(ACCOUNT, '501', { balance });
      expect(await read()).toMatchObject({ balanceCents: null });
    },
  );

  it('is not found when staff deleted it or another account owns it', async () => {
    const { crm, hubSpot, read } = makeWorld();
    const { accessToken } = crm.connect(OTHER_ACCOUNT);
    expect(await hubSpot.getInvoice(accessToken, '501', { timeZone: 'UTC' })).toBeNull();
    crm.edit(ACCOUNT, '501', { isArchived: true });
    expect(await read()).toBeNull();
    expect(crm.truth().reads).toEqual([]);
  });

  it('is separate from an invoice with the same id in another account', async () => {
    const { crm, hubSpot, read } = makeWorld();
    const { accessToken } = crm.connect(OTHER_ACCOUNT);
    crm.add({ accountId: OTHER_ACCOUNT, invoiceId: '501', number: 'N-1', balance: '5.00' });
    crm.edit(OTHER_ACCOUNT, '501', { balance: '6.00' });
    expect(await hubSpot.getInvoice(accessToken, '501', { timeZone: 'UTC' })).toMatchObject({ balanceCents: 600 });
    expect(await read()).toMatchObject({ balanceCents: 12_000 });
  });
});

describe('a CRM token', () => {
  it('expires after half an hour and is renewed', async () => {
    const { world, hubSpot, tokens, read } = makeWorld();
    world.pass(1800_000);
    expect(await failureOf(read())).toBe('expired');
    const renewed = await hubSpot.refreshTokens(tokens.refreshToken);
    expect(renewed).toMatchObject({ refreshToken: tokens.refreshToken, expiresInS: 1800 });
    expect(await hubSpot.getInvoice(renewed.accessToken, '501', { timeZone: 'UTC' })).not.toBeNull();
  });

  it('is revoked after its first use in a rotating account', async () => {
    const { crm, hubSpot, tokens } = makeWorld({ rotates: true });
    const renewed = await hubSpot.refreshTokens(tokens.refreshToken);
    expect(renewed.refreshToken).not.toBe(tokens.refreshToken);
    expect(await failureOf(hubSpot.refreshTokens(tokens.refreshToken))).toBe('revoked');
    await hubSpot.refreshTokens(renewed.refreshToken);
    expect(crm.truth().renewals).toHaveLength(2);
  });

  it('stops working after staff uninstall the app', async () => {
    const { crm, hubSpot, tokens, read } = makeWorld();
    crm.disconnect(ACCOUNT);
    expect(await failureOf(read())).toBe('expired');
    expect(await failureOf(hubSpot.refreshTokens(tokens.refreshToken))).toBe('revoked');
  });

  it('is refused to another app', async () => {
    const { hubSpot, tokens, crm } = makeWorld();
    const foreign = createHubSpot({
      ...app,
      clientSecret: 'guessed',
      authorizeBase: app.baseUrl,
      redirectUri: 'https://product.example/oauth',
      timeoutMs: 60_000,
    });
    expect(await failureOf(foreign.refreshTokens(tokens.refreshToken))).toBe('unavailable');
    expect(crm.truth().renewals).toEqual([]);
    expect((await hubSpot.refreshTokens(tokens.refreshToken)).accessToken).toBeTruthy();
  });
});

describe('a failing CRM', () => {
  const outages: CrmFault[] = ['silent', '500', 'html-502', '429', 'bad-json'];

  it.each(outages)('fails a read as unavailable, not as a missing invoice: %s', async (fault) => {
    const { crm, read } = makeWorld();
    crm.fail('records', fault, { ms: 3_600_000 });
    expect(await failureOf(read())).toBe('unavailable');
  });

  it('reports a valid token as expired until it recovers', async () => {
    const { crm, read } = makeWorld();
    crm.fail('records', '401', { ms: 60_000 });
    expect(await failureOf(read())).toBe('expired');
    crm.heal();
    expect(await read()).not.toBeNull();
  });

  it('recovers when its fault is over', async () => {
    const { world, crm, read } = makeWorld();
    crm.fail('records', 'html-502', { ms: 60_000 });
    expect(await failureOf(read())).toBe('unavailable');
    world.pass(60_000);
    expect(await read()).not.toBeNull();
  });

  it('consumes a rotating refresh token even when the answer is lost', async () => {
    const { crm, hubSpot, tokens } = makeWorld({ rotates: true });
    crm.fail('tokens', '500-after', { calls: 1 });
    expect(await failureOf(hubSpot.refreshTokens(tokens.refreshToken))).toBe('revoked');
    expect(crm.truth().renewals).toHaveLength(1);
  });

  it('behaves the same for the same seed', async () => {
    const runStory = async () => {
      const { world, crm, read } = makeWorld();
      crm.fail('records', 'slow', { calls: 3 });
      await failureOf(read());
      return [world.now(), crm.connect(ACCOUNT).refreshToken];
    };
    expect(await runStory()).toEqual(await runStory());
  });
});
