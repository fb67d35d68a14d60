import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { bearer } from '#tests/support/consent';
import { dataUrl, png, signature } from '#tests/support/content/png';
import { addOnlineTerminals, logIn, logInColleague, makeApp, type TestApp } from '#tests/support/login';
import { clearFaults, control, newInvoice, newInvoiceOfOneAccount, sharedInvoiceIds } from '#tests/support/wire';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';

afterEach(() => clearFaults());

const sendRequest = (app: TestApp, token: string, method: string, path: string, body?: unknown) =>
  app.request(path, {
    method,
    headers: { ...bearer(token), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const readReply = async (response: Response) => ({ status: response.status, body: (await response.json()) as Body });
type Body = { id?: string; url?: string; ends_at?: string; error?: { code: string; message: string } };

const readLinks = async (invoiceId: string) =>
  (
    await env.DB.prepare('SELECT account_id, state FROM pay_links WHERE invoice_id = ? ORDER BY issued_at, state')
      .bind(invoiceId)
      .all()
  ).results;

describe('the pay link of an invoice', () => {
  it('is created once, stays the same when requested again and is replaced ten seconds after revocation', async () => {
    const clock = { now: Date.now() };
    const app = makeApp({ now: () => clock.now });
    const { token } = await logIn(app, 0);
    await addOnlineTerminals();
    const id = await newInvoice();
    const first = await readReply(await sendRequest(app, token, 'POST', `/api/invoices/${id}/link`));
    expect(first).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^1-[\w-]{27}-[\w-]{16}$/),
        url: `http://localhost:8787/make/payment/${first.body.id}`,
        ends_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    });
    expect(
      (await readReply(await sendRequest(app, token, 'POST', `/api/invoices/${first.body.id}/link`))).body.id,
    ).toBe(first.body.id);
    const revoke = () => sendRequest(app, token, 'DELETE', `/api/invoices/${id}/link`);
    const undoRevocation = () => sendRequest(app, token, 'DELETE', `/api/invoices/${id}/link/revocation`);
    const revokedAt = new Date(clock.now + 10_000).toISOString();
    expect(await readReply(await revoke())).toEqual({ status: 202, body: { ...first.body, revoked_at: revokedAt } });
    const mailReply = await readReply(await sendRequest(app, token, 'POST', `/api/invoices/sendPaymentLink/${id}`));
    expect(mailReply).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('replaced') } } });
    expect(await readReply(await undoRevocation())).toEqual({ status: 200, body: first.body });
    expect((await undoRevocation()).status).toBe(409);
    expect((await revoke()).status).toBe(202);
    clock.now += 10_000;
    expect((await undoRevocation()).status).toBe(409);
    const second = await readReply(await sendRequest(app, token, 'POST', `/api/invoices/${id}/link`));
    expect(second.status).toBe(200);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await app.request(`/api/invoices/${first.body.id}`)).status).toBe(410);
    expect(await readLinks(id)).toMatchObject([{ state: 'revoked' }, { state: 'live' }]);
  });

  it('is refused with the reason for another currency, even if an old link exists', async () => {
    const app = makeApp();
    const { token } = await logIn(app, 0);
    const id = await newInvoice({ currency: 'EUR' });
    await issuePayLink(app.deps, hubs[0].hubId, id);
    const error = { message: 'Invoices in EUR cannot be paid online.' };
    const linkReply = await readReply(await sendRequest(app, token, 'POST', `/api/invoices/${id}/link`));
    expect(linkReply).toMatchObject({ status: 409, body: { error: { code: 'not-payable-online', ...error } } });
    const mailReply = await readReply(await sendRequest(app, token, 'POST', `/api/invoices/sendPaymentLink/${id}`));
    expect(mailReply).toMatchObject({ status: 409, body: { error } });
    expect(await readReply(await sendRequest(app, token, 'GET', `/api/invoices/${id}`))).toMatchObject({
      body: { pay_link: null },
    });
    const list = await app.request('/api/invoices/getOpenInvoices?size=100', { headers: bearer(token) });
    const row = ((await list.json()) as OpenInvoiceItem[]).find(({ crm_id }) => crm_id === id);
    expect(row).toMatchObject({
      currency: 'EUR',
      id: expect.stringMatching(/^1-[\w-]{27}-[\w-]{16}$/),
      link_ends_at: null,
    });
  });

  it('is neither returned nor replaced for another account, by record id or pay id', async () => {
    const app = makeApp();
    const [owner, otherLogin] = [await logIn(app, 0), await logIn(app, 1)];
    const id = await newInvoiceOfOneAccount();
    const { body } = await readReply(await sendRequest(app, owner.token, 'POST', `/api/invoices/${id}/link`));
    const sharedId = (await sharedInvoiceIds())[0] ?? '';
    await sendRequest(app, otherLogin.token, 'POST', `/api/invoices/${sharedId}/link`);
    for (const method of ['POST', 'DELETE']) {
      for (const foreignId of [id, body.id, '0', 'nothing', '%00', `${id}'--`, '9'.repeat(40)]) {
        const answer = await readReply(
          await sendRequest(app, otherLogin.token, method, `/api/invoices/${foreignId}/link`),
        );
        expect([answer.status, answer.body.error?.message], `${method} ${foreignId}`).toEqual([
          404,
          'No invoice found',
        ]);
      }
    }
    expect((await readLinks(id)).map(({ state }) => state)).toEqual(['live']);
    // The same record id in two accounts is two invoices with a link each.
    await sendRequest(app, owner.token, 'POST', `/api/invoices/${sharedId}/link`);
    expect(new Set((await readLinks(sharedId)).map(({ account_id }) => account_id)).size).toBe(2);
  });

  it('returns 503 with Retry-After while the CRM does not answer', async () => {
    const app = makeApp();
    const { token } = await logIn(app, 0);
    const id = await newInvoice();
    await control('faults', { on: 'crm', do: '500', times: 50 });
    const answer = await sendRequest(app, token, 'POST', `/api/invoices/${id}/link`);
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(await readReply(answer)).toMatchObject({ status: 503, body: { error: { code: 'crm-unavailable' } } });
  });
});

describe('a payment page opened by CRM id', () => {
  it('redirects only the logged-in merchant to the pay id, creating one if needed', async () => {
    const app = makeApp();
    const [owner, otherLogin] = [await logIn(app, 0), await logIn(app, 1)];
    const id = await newInvoiceOfOneAccount();
    const openPage = (headers: Record<string, string> = {}) => app.request(`/make/payment/${id}`, { headers });
    expect((await openPage()).status).toBe(404);
    expect((await openPage(otherLogin.jar.header)).status).toBe(404);
    expect((await openPage(bearer(owner.token))).status).toBe(404);
    expect(await readLinks(id)).toEqual([]);
    const redirect = await openPage(owner.jar.header);
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^\/make\/payment\/1-[\w-]{27}-[\w-]{16}$/),
    ]);
    const second = await openPage(owner.jar.header);
    expect(second.headers.get('location')).toBe(redirect.headers.get('location'));
    expect(await readLinks(id)).toHaveLength(1);
  });
});

const imagePrefixOf = (id: string) => `signatures/${hubs[0].hubId}/invoice-${id}-`;

describe('an invoice signature', () => {
  it('is saved, shown only to its own account, replaced and removed', async () => {
    const app = makeApp();
    const [owner, otherLogin] = [await logIn(app, 0), await logIn(app, 1)];
    const id = await newInvoiceOfOneAccount();
    const path = `/api/invoices/${id}/signature`;
    const listImages = async () => (await env.MEDIA.list({ prefix: imagePrefixOf(id) })).objects;
    expect((await sendRequest(app, owner.token, 'GET', path)).status).toBe(404);
    expect((await sendRequest(app, owner.token, 'PUT', path, { signature: signature() })).status).toBe(200);
    const saved = await sendRequest(app, owner.token, 'GET', path);
    expect([saved.headers.get('content-type'), saved.headers.get('cache-control')]).toEqual([
      'image/png',
      'private, no-store',
    ]);
    expect(dataUrl(new Uint8Array(await saved.arrayBuffer()))).toBe(signature());

    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { signature: signature() } : undefined;
      expect((await sendRequest(app, otherLogin.token, method, path, body)).status).toBe(404);
      expect((await app.request(path, { method })).status).toBe(401);
    }
    const replacement = dataUrl(
      png({ width: 40, height: 150, pixel: (x, y) => (x === y ? [0, 0, 0, 255] : [0, 0, 0, 0]) }),
    );
    await sendRequest(app, owner.token, 'PUT', path, { signature: replacement });
    expect(dataUrl(new Uint8Array(await (await sendRequest(app, owner.token, 'GET', path)).arrayBuffer()))).toBe(
      replacement,
    );
    expect(await listImages()).toHaveLength(1);
    expect((await sendRequest(app, owner.token, 'DELETE', path)).status).toBe(200);
    expect((await sendRequest(app, owner.token, 'DELETE', path)).status).toBe(200);
    expect((await sendRequest(app, owner.token, 'GET', path)).status).toBe(404);
    expect(await listImages()).toEqual([]);
  });

  it('is a single image after many concurrent saves, with no other file left behind', async () => {
    const app = makeApp();
    const { token } = await logIn(app, 0);
    const id = await newInvoice();
    const path = `/api/invoices/${id}/signature`;
    await Promise.all(
      Array.from({ length: 8 }, () => sendRequest(app, token, 'PUT', path, { signature: signature() })),
    );
    expect((await env.MEDIA.list({ prefix: imagePrefixOf(id) })).objects).toHaveLength(1);
    expect((await sendRequest(app, token, 'GET', path)).status).toBe(200);
  });

  it.each([
    ['is missing', {}, 422, 'The signature must be a PNG image.'],
    ['is not text', { signature: 7 }, 422, 'The signature must be a PNG image.'],
    ['is another picture', { signature: 'data:image/svg+xml,<svg/>' }, 422, 'The signature must be a PNG image.'],
    ['is blank', { signature: dataUrl(png({ width: 9, height: 9 })) }, 422, 'Please sign before saving.'],
    ['is not JSON', '{', 400, 'The request could not be read.'],
    ['is too long', `"${'x'.repeat(300_000)}"`, 413, 'The request is too large.'],
  ])('is rejected when it %s', async (_case, body, status, message) => {
    const app = makeApp();
    const { token } = await logIn(app, 0);
    const path = `/api/invoices/${await newInvoice()}/signature`;
    const answer = await readReply(await sendRequest(app, token, 'PUT', path, body));
    expect([answer.status, answer.body.error?.message]).toEqual([status, message]);
    expect((await env.MEDIA.list({ prefix: 'signatures/' })).objects).toEqual([]);
  });
});

describe('the footer text of invoices', () => {
  const put = (app: TestApp, token: string, text: unknown) =>
    sendRequest(app, token, 'PUT', '/api/token/footer-text', { footer_text: text });
  const signUp = () =>
    env.DB.prepare(
      "INSERT INTO merchants (account_id, name, claimed_at) SELECT account_id, 'Own', 0 FROM accounts",
    ).run();

  it('can be changed only by an account administrator', async () => {
    const app = makeApp();
    const staff = await logInColleague(app);
    const { token } = await logIn(app, 0);
    await signUp();
    const refusal = await readReply(await put(app, staff, 'Ours'));
    expect(refusal).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    const changeResponse = await put(app, token, ' Open daily.\r\nClosed on Sundays. ');
    expect(await changeResponse.json()).toEqual({ footer_text: 'Open daily.\nClosed on Sundays.' });
    const response = await sendRequest(app, token, 'GET', '/api/token/footer-text');
    expect(await response.json()).toEqual({ footer_text: 'Open daily.\nClosed on Sundays.' });
    const defaultText = (await (await put(app, token, '  ')).json()) as { footer_text: string };
    expect(defaultText.footer_text.length).toBeGreaterThan(10);
  });

  it.each([
    ['that is too long to print', 'x'.repeat(501)],
    ['with direction overrides', 'a\u202eb'],
    ['with control characters', 'a\u0000b'],
    ['that is not text', 7],
  ])('rejects a text %s', async (_case, text) => {
    const app = makeApp();
    const { token } = await logIn(app, 0);
    await signUp();
    expect((await put(app, token, text)).status).toBe(422);
  });

  it('cannot be set without a merchant account', async () => {
    const app = makeApp();
    const { token } = await logIn(app, 1);
    expect((await put(app, token, 'Ours')).status).toBe(409);
  });
});
