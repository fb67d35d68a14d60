import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { withLanguage } from '#shared/words/language';
import { paymentForm } from '#tests/support/pay-form';
import { oneDatabase } from '#tests/support/unit/one-database';
import { makeWorld, transaction, type World } from '#tests/support/unit/world';
import { createApp } from '#worker/app';
import { openClinics } from '#worker/clinic/clinics';
import { openDb } from '#worker/data/db';
import { accounts, paymentAttempts } from '#worker/data/schema/schema';
import type { Env } from '#worker/deps';
import { takePayment } from '#worker/domain/payments/take-payment';

const STATES = ['unknown', 'unavailable', 'failed', 'closing'];
/** A substitute for the built pages. */
const ASSETS = {
  fetch: async () =>
    new Response(
      [
        ...STATES.map((state) => `<section data-state="${state}">${state}</section>`),
        '<p data-fill="paidHow">Paid</p>',
        ...['paid', 'submitted'].map((state) => `<section data-state="${state}"></section>`),
        ...['paymentAmount', 'paymentDay', 'number'].map(
          (name) => `<div data-row="${name}"><dd data-fill="${name}">example</dd></div>`,
        ),
        '<p data-fill="paidHow">Paid</p>',
      ].join(''),
      { headers: { 'content-type': 'text/html' } },
    ),
};

/** Opens a payer's page, and returns its status with the state and the values that it shows. */
async function openPage({ installation }: World, path: string, clinics: World['deps']['clinics']) {
  const context = createExecutionContext();
  const bindings = { ...env, ASSETS } as unknown as Env;
  const app = createApp(() => ({ ...installation, clinics }));
  const answer = await app.fetch(new Request(`http://localhost:8787${path}`), bindings, context);
  await waitOnExecutionContext(context);
  const page = await answer.text();
  const state = /data-state="([\w-]+)"/.exec(page)?.[1];
  const rows = Object.fromEntries(
    [...page.matchAll(/<dd data-fill="(\w+)">([^<]*)/g)].map(([, name, text]) => [name, text]),
  );
  const paidHow = /data-fill="paidHow">(Paid [^<]*)/.exec(page)?.[1];
  return {
    state,
    ...(Object.keys(rows).length > 0 && { rows }),
    ...(paidHow && { paidHow }),
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
  };
}

describe.each(['/make/payment/', '/receipt/'])('the payer’s page at %s', (path) => {
  it('shows an error and nothing about the payment while the clinic’s database does not respond', async () => {
    const world = await makeWorld();
    const batch = () => Promise.reject(new Error('D1_ERROR: the object was reset'));
    const prepare = () => {
      throw new Error('D1_ERROR: the object was reset');
    };
    const brokenDatabase = oneDatabase(openDb({ prepare, batch } as unknown as D1Database));
    expect(await openPage(world, path + world.payId, brokenDatabase)).toEqual({
      state: 'failed',
      status: 503,
      retryAfter: '30',
    });
    expect(world.logs).toContain('ALERT request-failed');
  });

  it('shows no invoice after the clinic was erased', async () => {
    const world = await makeWorld();
    const erasedClinics = openClinics(env.CLINICS, async () => null);
    expect(await openPage(world, path + world.payId, erasedClinics)).toMatchObject({ state: 'unknown', status: 404 });
    expect(world.logs.filter((line) => line.startsWith('ALERT'))).toEqual([]);
  });
});

it('the page of an account that is closing returns 503 without a retry time', async () => {
  const world = await makeWorld();
  await world.db
    .update(accounts)
    .set({ closesAt: world.clock.now + 9e8 })
    .where(eq(accounts.accountId, world.accountId));
  const page = await openPage(world, `/make/payment/${world.payId}`, oneDatabase());
  const rows = { number: `INV-${world.invoiceId}` };
  expect(page).toEqual({ state: 'closing', status: 503, retryAfter: null, rows });
});

it('the page of a paid invoice shows the amount, and the payment date in the clinic’s time zone', async () => {
  const world = await makeWorld();
  world.clock.now = Date.UTC(2026, 2, 5, 3, 0);
  expect((await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null })).kind).toBe('approved');
  const path = `/make/payment/${world.payId}`;
  const paidRows = { paymentAmount: '$184.00', paymentDay: 'Mar 4, 2026', number: expect.stringContaining('INV') };
  expect(await openPage(world, path, oneDatabase())).toMatchObject({ state: 'paid', rows: paidRows });
  expect(await openPage(world, withLanguage(path, 'es'), oneDatabase())).toMatchObject({
    rows: { paymentDay: '4 mar 2026' },
  });
});

it('the page of a submitted bank payment shows its amount and the day on which it was sent', async () => {
  const world = await makeWorld();
  world.gateway.script.charge = (request) => ({
    kind: 'pending',
    txn: transaction(request, { state: 'pending', kind: 'DEBIT' }),
    exchangeId: '',
  });
  world.clock.now = Date.UTC(2026, 2, 5, 3, 0);
  const form = paymentForm({ paymentType: 'ach' });
  expect((await takePayment(world.deps, world.payId, form, { clientIp: null })).kind).toBe('submitted');
  world.clock.now += 86_400_000;
  const page = await openPage(world, `/make/payment/${world.payId}`, oneDatabase());
  expect(page).toMatchObject({
    state: 'submitted',
    rows: { paymentAmount: '$184.00', paymentDay: 'Mar 4, 2026' },
  });
});

it('a receipt has no line break between the dots and the digits of the card', async () => {
  const world = await makeWorld();
  expect((await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null })).kind).toBe('approved');
  const [attempt] = await world.db.select({ receiptId: paymentAttempts.receiptId }).from(paymentAttempts);
  const receipt = await openPage(world, `/receipt/${attempt?.receiptId}`, oneDatabase());
  expect(receipt).toMatchObject({ status: 200, paidHow: expect.stringMatching(/ ••••\u00a0\d{4}$/) });
});
