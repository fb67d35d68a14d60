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

const send = (app: TestApp, token: string, method: string, path: string, body?: unknown) =>
  app.request(path, {
    method,
    headers: { ...bearer(token), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const read = async (response: Response) => ({ status: response.status, body: (await response.json()) as Body });
type Body = { id?: string; url?: string; ends_at?: string; error?: { code: string; message: string } };

const links = async (invoiceId: string) =>
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
    const first = await read(await send(app, token, 'POST', `/api/invoices/${id}/link`));
    expect(first).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^1-[\w-]{27}-[\w-]{16}$/),
        url: `http://localhost:8787/make/payment/${first.body.id}`,
        ends_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    });
    expect((await read(await send(app, token, 'POST', `/api/invoices/${first.body.id}/link`))).body.id).toBe(
      first.body.id,
    );
    const revocation = () => send(app, token, 'DELETE', `/api/invoices/${id}/link`);
    const undo = () => send(app, token, 'DELETE', `/api/invoices/${id}/link/revocation`);
    const until = new Date(clock.now + 10_000).toISOString();
    expect(await read(await revocation())).toEqual({ status: 202, body: { ...first.body, revoked_at: until } });
    const mailed = await read(await send(app, token, 'POST', `/api/invoices/sendPaymentLink/${id}`));
    expect(mailed).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('replaced') } } });
    expect(await read(await undo())).toEqual({ status: 200, body: first.body });
    expect((await undo()).status).toBe(409);
    expect((await revocation()).status).toBe(202);
    clock.now += 10_000;
    expect((await undo()).status).toBe(409);
    const second = await read(await send(app, token, 'POST', `/api/invoices/${id}/link`));
    expect(second.status).toBe(200);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await app.request(`/api/invoices/${first.body.id}`)).status).toBe(410);
    expect(await links(id)).toMatchObject([{ state: 'revoked' }, { state: 'live' }]);
  });

  it('is refused with the reason for another currency, even if an old link exists', async () => {
    const app = makeApp();
    const { token } = await logIn(app, 0);
    const id = await newInvoice({ currency: 'EUR' });
    await issuePayLink(app.deps, hubs[0].hubId, id);
    const error = { message: 'Invoices in EUR cannot be paid online.' };
    const linkReply = await read(await send(app, token, 'POST', `/api/invoices/${id}/link`));
    expect(linkReply).toMatchObject({ status: 409, body: { error: { code: 'not-payable-online', ...error } } });
    const mailed = await read(await send(app, token, 'POST', `/api/invoices/sendPaymentLink/${id}`));
    expect(mailed).toMatchObject({ status: 409, body: { error } });
    expect(await read(await send(app, token, 'GET', `/api/invoices/${id}`))).toMatchObject({
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
    const [owner, other] = [await logIn(app, 0), await logIn(app, 1)];
    const id = await newInvoiceOfOneAccount();
    const { body } = await read(await send(app, owner.token, 'POST', `/api/invoices/${id}/link`));
    const shared = (await sharedInvoiceIds())[0] ?? '';
    await send(app, other.token, 'POST', `/api/invoices/${shared}/link`);
    for (const method of ['POST', 'DELETE']) {
      for (const foreign of [id, body.id, '0', 'nothing', '%00', `${id}'--`, '9'.repeat(40)]) {
        const answer = await read(await send(app, other.token, method, `/api/invoices/${foreign}/link`));
        expect([answer.status, answer.body.error?.message], `${method} ${foreign}`).toEqual([404, 'No invoice found']);
      }
    }
    expect((await links(id)).map(({ state }) => state)).toEqual(['live']);
    // The same record id in two accounts is two invoices with a link each.
    await send(app, owner.token, 'POST', `/api/invoices/${shared}/link`);
    expect(new Set((await links(shared)).map(({ account_id }) => account_id)).size).toBe(2);
  });

  it('returns 503 with Retry-After while the CRM does not answer', async () => {
    const app = makeApp();
    const { token } = await logIn(app, 0);
    const id = await newInvoice();
    await control('faults', { on: 'crm', do: '500', times: 50 });
    const answer = await send(app, token, 'POST', `/api/invoices/${id}/link`);
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(await read(answer)).toMatchObject({ status: 503, body: { error: { code: 'crm-unavailable' } } });
  });
});

describe('a payment page opened by CRM id', () => {
  it('redirects only the logged-in merchant to the pay id, creating one if needed', async () => {
    const app = makeApp();
    const [owner, other] = [await logIn(app, 0), await logIn(app, 1)];
    const id = await newInvoiceOfOneAccount();
    const open = (headers: Record<string, string> = {}) => app.request(`/make/payment/${id}`, { headers });
    expect((await open()).status).toBe(404);
    expect((await open(other.jar.header)).status).toBe(404);
    expect((await open(bearer(owner.token))).status).toBe(404);
    expect(await links(id)).toEqual([]);
    const redirect = await open(owner.jar.header);
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^\/make\/payment\/1-[\w-]{27}-[\w-]{16}$/),
    ]);
    const second = await open(owner.jar.header);
    expect(second.headers.get('location')).toBe(redirect.headers.get('location'));
    expect(await links(id)).toHaveLength(1);
  });
});

const imagesOf = (id: string) => `signatures/${hubs[0].hubId}/invoice-${id}-`;

describe('an invoice signature', () => {
  it('is saved, shown only to its own account, replaced and removed', async () => {
    const app = makeApp();
    const [owner, other] = [await logIn(app, 0), await logIn(app, 1)];
    const id = await newInvoiceOfOneAccount();
    const path = `/api/invoices/${id}/signature`;
    const images = async () => (await env.MEDIA.list({ prefix: imagesOf(id) })).objects;
    expect((await send(app, owner.token, 'GET', path)).status).toBe(404);
    expect((await send(app, owner.token, 'PUT', path, { signature: signature() })).status).toBe(200);
    const saved = await send(app, owner.token, 'GET', path);
    expect([saved.headers.get('content-type'), saved.headers.get('cache-control')]).toEqual([
      'image/png',
      'private, no-store',
    ]);
    expect(dataUrl(new Uint8Array(await saved.arrayBuffer()))).toBe(signature());

    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { signature: signature() } : undefined;
      expect((await send(app, other.token, method, path, body)).status).toBe(404);
      expect((await app.request(path, { method })).status).toBe(401);
    }
    const replacement = dataUrl(
      png({ width: 40, height: 150, pixel: (x, y) => (x === y ? [0, 0, 0, 255] : [0, 0, 0, 0]) }),
    );
    await send(app, owner.token, 'PUT', path, { signature: replacement });
    expect(dataUrl(new Uint8Array(await (await send(app, owner.token, 'GET', path)).arrayBuffer()))).toBe(replacement);
    expect(await images()).toHaveLength(1);
    expect((await send(app, owner.token, 'DELETE', path)).status).toBe(200);
    expect((await send(app, owner.token, 'DELETE', path)).status).toBe(200);
    expect((await send(app, owner.token, 'GET', path)).status).toBe(404);
    expect(await images()).toEqual([]);
  });

  it('is a single image after many concurrent saves, with no other file left behind', async () => {
    const app = makeApp();
    const { token } = await logIn(app, 0);
    const id = await newInvoice();
    const path = `/api/invoices/${id}/signature`;
    await Promise.all(Array.from({ length: 8 }, () => send(app, token, 'PUT', path, { signature: signature() })));
    expect((await env.MEDIA.list({ prefix: imagesOf(id) })).objects).toHaveLength(1);
    expect((await send(app, token, 'GET', path)).status).toBe(200);
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
    const answer = await read(await send(app, token, 'PUT', path, body));
    expect([answer.status, answer.body.error?.message]).toEqual([status, message]);
    expect((await env.MEDIA.list({ prefix: 'signatures/' })).objects).toEqual([]);
  });
});

describe('the footer text of invoices', () => {
  const put = (app: TestApp, token: string, text: unknown) =>
    send(app, token, 'PUT', '/api/token/footer-text', { footer_text: text });
  const signUp = () =>
    env.DB.prepare(
      "INSERT INTO merchants (account_id, name, claimed_at) SELECT account_id, 'Own', 0 FROM accounts",
    ).run();

  it('can be changed only by an account administrator', async () => {
    const app = makeApp();
    const staff = await logInColleague(app);
    const { token } = await logIn(app, 0);
    await signUp();
    const refused = await read(await put(app, staff, 'Ours'));
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    const changed = await put(app, token, ' Open daily.\r\nClosed on Sundays. ');
    expect(await changed.json()).toEqual({ footer_text: 'Open daily.\nClosed on Sundays.' });
    const response = await send(app, token, 'GET', '/api/token/footer-text');
    expect(await response.json()).toEqual({ footer_text: 'Open daily.\nClosed on Sundays.' });
    const empty = (await (await put(app, token, '  ')).json()) as { footer_text: string };
    expect(empty.footer_text.length).toBeGreaterThan(10);
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
