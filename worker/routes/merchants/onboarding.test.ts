import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { boarding, hubs } from '#sandbox/credentials';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp, type TestApp } from '#tests/support/login';
import type { Mail } from '#worker/vendors/resend/port';

const signUp = (app: TestApp, token: string, dbaName: unknown) =>
  app.request('/api/token/setup-merchant', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(token) },
    body: JSON.stringify({ dbaName }),
  });

type Application = { merchant_number?: string; merchantNumber?: string; dba_name?: string; dbaName?: string };
const readApplications = async (app: TestApp) =>
  (await (await fetch(`${app.sandboxUrl}/_sandbox/applications`)).json()) as Application[];

const sendWebhook = (app: TestApp, body: unknown, secret: string = boarding.webhookSecret) =>
  app.request(`/api/webhooks/boarding/${secret}`, { method: 'POST', body: JSON.stringify(body) });

const readMerchantData = async (app: TestApp, token: string) =>
  (await (await app.request('/api/token/get-merchant-data', { headers: bearer(token) })).json()) as {
    merchant: { merchant_name: string; signup_url: string; status: string } | null;
    devices: { terminal_id: string; terminal_name: string }[];
    logs: { event: string }[];
  };

describe('merchant sign-up', () => {
  it('creates one application, even if the form is sent several times at once', async () => {
    const app = makeApp();
    const { token } = await logIn(app, 1);
    const previousCount = (await readApplications(app)).length;
    const answers = await Promise.all(Array.from({ length: 8 }, () => signUp(app, token, 'Harbor Physio')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await readApplications(app)).length).toBe(previousCount + 1);
    const links = await Promise.all(
      answers.map(
        async (answer) => ((await answer.json()) as { merchant: { signup_url: string } }).merchant.signup_url,
      ),
    );
    expect(new Set(links).size).toBe(1);
    expect(links[0]).toMatch(/^http/);
  });

  it('emails the link once to the person who signed up, and names the business', async () => {
    const mails: Mail[] = [];
    const app = makeApp({
      mailer: {
        send: async (mail) => {
          mails.push(mail);
          return 'sent';
        },
      },
    });
    const { token } = await logIn(app, 1);
    const name = 'Harbor <b>Physio</b>';
    await Promise.all(Array.from({ length: 4 }, () => signUp(app, token, name)));
    const last = await signUp(app, token, name);
    await app.settled();
    const { merchant } = (await last.json()) as { merchant: { signup_url: string } };
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: hubs[1].users[0]?.email, subject: `Complete the set-up of ${name}` });
    expect(mails[0]?.text).toContain(merchant.signup_url);
    expect(mails[0]?.html).toContain(`href="${merchant.signup_url}"`);
    expect(mails[0]?.html).not.toContain('<b>');
  });

  it('logs the application with its time, and shows no merchant and no log for a claim without an application', async () => {
    const clock = { now: Date.parse('2026-11-20T09:30:00Z') };
    const app = makeApp({ now: () => clock.now });
    const { token } = await logIn(app, 1);
    await env.DB.prepare(
      "INSERT INTO merchants (account_id, name, claimed_at) SELECT account_id, 'Own', 0 FROM accounts",
    ).run();
    expect(await readMerchantData(app, token)).toMatchObject({ merchant: null, logs: [] });
    await signUp(app, token, 'Harbor Physio');
    clock.now += 60_000;
    const { merchant_number: merchantId } =
      (await env.DB.prepare('SELECT merchant_number FROM merchants').first<{ merchant_number: string }>()) ?? {};
    await sendWebhook(app, { event: 'Approved', merchantId, payload: {} });
    const { logs } = await readMerchantData(app, token);
    expect(logs).toEqual([
      { event: 'Approved', created_at: '2026-11-20T09:31:00.000Z' },
      { event: 'Applied', created_at: '2026-11-20T09:30:00.000Z' },
    ]);
  });

  it.each(['', '   ', 'x'.repeat(101), 'a\u0000b', '🙂', 42, undefined])('rejects the name %j', async (name) => {
    const app = makeApp();
    const { token } = await logIn(app, 1);
    const answer = await signUp(app, token, name);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      error: { message: 'Please enter a business name of 1 to 100 characters.' },
    });
    expect(await env.DB.prepare('SELECT * FROM merchants').first()).toBeNull();
  });
});

describe('boarding webhooks', () => {
  async function makeApplicant() {
    const app = makeApp();
    const { token } = await logIn(app, 1);
    await signUp(app, token, 'Harbor Physio');
    const row = await env.DB.prepare('SELECT merchant_number FROM merchants').first<{ merchant_number: string }>();
    return { app, token, merchantId: row?.merchant_number ?? '' };
  }

  it('change nothing when forged', async () => {
    const { app, token, merchantId } = await makeApplicant();
    const boarded = {
      event: 'Boarded',
      merchantId,
      payload: { terminals: [{ apiKey: '0'.repeat(32), publicKey: 'ab', name: 'Forged' }] },
    };
    expect((await sendWebhook(app, boarded, 'guessed')).status).toBe(404);
    expect((await sendWebhook(app, boarded)).status).toBe(204);
    expect((await sendWebhook(app, { ...boarded, merchantId: '999' })).status).toBe(204);
    expect((await sendWebhook(app, 'nonsense')).status).toBe(400);
    expect(await readMerchantData(app, token)).toMatchObject({
      merchant: { status: 'applied' },
      devices: [],
      logs: [{ event: 'Applied' }],
    });
  });

  it('never move the status back when repeated or out of order, and are logged once', async () => {
    const { app, token, merchantId } = await makeApplicant();
    for (const event of ['Approved', 'Approved', 'Pended']) await sendWebhook(app, { event, merchantId, payload: {} });
    const { merchant, logs } = await readMerchantData(app, token);
    expect(merchant?.status).toBe('approved');
    expect(logs.map(({ event }) => event).sort()).toEqual(['Applied', 'Approved', 'Pended']);
  });
});
