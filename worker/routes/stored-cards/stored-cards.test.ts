import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { StoredCardCharge, StoredCardsReply } from '#shared/contracts/payments/stored-cards';
import { bearer } from '#tests/support/consent';
import { logInColleague } from '#tests/support/login';
import { payerFields } from '#tests/support/pay-form';
import { makeBill, makeClinic, payIdOf } from '#tests/support/unit/clinic';
import { oneDatabase } from '#tests/support/unit/one-database';
import { makeCardWorld } from '#tests/support/unit/stored-cards';
import { cardToken, control } from '#tests/support/wire';
import { createApp } from '#worker/app';
import { storedCards, users } from '#worker/data/schema/schema';
import type { Env } from '#worker/deps';
import { runSchedule } from '#worker/domain/run-schedule';

/** A clinic whose payer has kept a card while paying a first bill of the customer. */
async function makeCardClinic() {
  const setup = await makeClinic();
  const { app, token } = setup;
  const call = (method: string, path: string, body?: object, caller = token) =>
    app.request(path, {
      method,
      headers: { ...bearer(caller), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const setting = await call('PUT', '/api/cards-on-file', { is_on: true });
  expect(await setting.json()).toEqual({ is_on: true, is_available: true });
  const { id } = await makeBill({ amount: '20.00', customer: 1 });
  const payId = await payIdOf(app, token, id);
  const paid = await app.request(`/api/invoices/takePaymentSDK/${payId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...payerFields(), paymentDetails: { jwt: await cardToken() }, keepCard: true }),
  });
  expect(paid.status).toBe(200);
  await app.settled();
  await runSchedule(app.deps);
  const [card] = (await app.deps.db.select().from(storedCards)).slice(-1);
  if (!card) throw new Error('no card was stored');
  const list = async () =>
    StoredCardsReply.parse(await (await call('GET', `/api/stored-cards?contactId=${card.contactId}`)).json());
  const charge = (invoiceId: string, fields: object = {}, caller = token) =>
    call(
      'POST',
      `/api/stored-cards/${card.id}/charges`,
      { invoiceId, amountCents: 3_000, key: crypto.randomUUID(), ...fields },
      caller,
    );
  return { ...setup, call, card, list, charge };
}

it('staff list, charge and remove a card on file, which the provider then no longer has', async () => {
  const { call, card, list, charge } = await makeCardClinic();
  expect(await list()).toMatchObject({ cards: [{ id: card.id, last4: '1111', expiresOn: '2049-12', usable: true }] });
  const { id } = await makeBill({ amount: '30.00', customer: 1 });
  expect((await charge(id, { amountCents: 2_999 })).status).toBe(409);
  const answer = await charge(id);
  expect(answer.status).toBe(200);
  expect(StoredCardCharge.parse(await answer.json())).toMatchObject({
    state: 'approved',
    amountCents: 3_000,
    receiptUrl: expect.stringMatching(/^\/receipt\//),
  });
  const again = await charge(id);
  expect([again.status, await again.json()]).toMatchObject([409, { error: { code: 'already-paid' } }]);
  expect(await (await call('DELETE', `/api/stored-cards/${card.id}`)).json()).toEqual({ ended: true });
  expect(await (await call('DELETE', `/api/stored-cards/${card.id}`)).json()).toEqual({ ended: true });
  expect(await list()).toEqual({ cards: [] });
  const vault = await control<{ status: string }[]>('tokens');
  expect(vault.at(-1)?.status).toBe('Deleted');
  const { id: next } = await makeBill({ amount: '30.00', customer: 1 });
  expect(await (await charge(next)).json()).toMatchObject({ error: { code: 'card-removed' } });
});

it('a reader sees cards, but neither charges nor removes them', async () => {
  const { app, call, card, charge } = await makeCardClinic();
  const colleague = await logInColleague(app);
  await app.deps.db.update(users).set({ role: 'reader' });
  expect((await call('GET', `/api/stored-cards?contactId=${card.contactId}`, undefined, colleague)).status).toBe(200);
  expect((await charge('1', {}, colleague)).status).toBe(403);
  expect((await call('DELETE', `/api/stored-cards/${card.id}`, undefined, colleague)).status).toBe(403);
});

it('refuses a request without an invoice, an amount or a key', async () => {
  const { charge, call } = await makeCardClinic();
  for (const fields of [{ invoiceId: 'x' }, { amountCents: 0 }, { amountCents: 1.5 }, { key: 'short' }, { card: '4' }])
    expect((await charge('1', fields)).status).toBe(422);
  expect((await call('GET', '/api/stored-cards')).status).toBe(422);
  expect((await call('DELETE', '/api/stored-cards/unknown')).status).toBe(404);
});

const ASSETS = {
  fetch: async () =>
    new Response(
      ['card', 'card-removed', 'card-unknown']
        .map((state) => `<section data-state="${state}"><b data-fill="sender"></b><b data-fill="card"></b></section>`)
        .join(''),
      { headers: { 'content-type': 'text/html' } },
    ),
};

it('the page of a card removes it by POST only, and knows no other key', async () => {
  const world = await makeCardWorld();
  await world.payKeeping();
  const removeKey = (await world.card())?.removeKey ?? '';
  const open = async (method: string, key = removeKey) => {
    const context = createExecutionContext();
    const app = createApp(() => ({ ...world.installation, clinics: oneDatabase() }));
    const request = new Request(`http://localhost:8787/card/${key}`, { method });
    const answer = await app.fetch(request, { ...env, ASSETS } as unknown as Env, context);
    await waitOnExecutionContext(context);
    const page = await answer.text();
    return [answer.status, /data-state="([\w-]+)"/.exec(page)?.[1], /data-fill="card">([^<]*)/.exec(page)?.[1]];
  };
  expect(await open('GET')).toEqual([200, 'card', 'VISA •••• 1111']);
  expect(await open('GET', 'A'.repeat(46))).toEqual([404, 'card-unknown', '']);
  expect(await open('POST', `${removeKey.slice(0, -1)}_`)).toEqual([404, 'card-unknown', '']);
  expect(await world.card()).toMatchObject({ endedAt: null });
  expect(await open('POST')).toEqual([200, 'card-removed', 'VISA •••• 1111']);
  expect(await world.card()).toMatchObject({ endedReason: 'removed_by_payer' });
  expect(await open('POST')).toEqual([200, 'card-removed', 'VISA •••• 1111']);
});
