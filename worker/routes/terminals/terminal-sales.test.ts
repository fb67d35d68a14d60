import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import {
  type BusyReply,
  SaleReply,
  type TerminalSale,
  type TerminalsReply,
} from '#shared/contracts/payments/terminals';
import { bearer, type Jar } from '#tests/support/consent';
import { logIn, makeApp, type TestApp } from '#tests/support/login';
import { clearFaults, control, counterTerminal, newInvoice, touch } from '#tests/support/wire';
import { boardTerminal } from '#worker/domain/merchants/connect';

const [front, back] = [counterTerminal(), counterTerminal(1)];
const changeSettings = (change: object) => control('settings', change);
beforeEach(() => changeSettings({ auto_tap: false, terminal_replies: 'bare', terminal_timeout_ms: 120_000 }));
afterEach(async () => {
  await clearFaults();
  for (const counter of [front, back]) {
    await touch('offline', counter);
    await touch('online', counter);
  }
});

type Body = Partial<SaleReply & BusyReply & TerminalsReply> & { error?: { code: string; message: string } };

/** An account whose staff are logged in. */
async function openDesk() {
  const app = makeApp();
  const { token, jar } = await logIn(app, 0);
  for (const { terminalId, name, channel, publicKey, apiKey } of [front, back]) {
    await boardTerminal(app.deps, { accountId: hubs[0].hubId, terminalId, name, channel, publicKey, apiKey });
  }
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await app.request(path, {
      method,
      headers: { ...bearer(token), 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  };
  const start = (body: unknown, { terminalId } = front) => call('POST', `/api/terminals/${terminalId}/sales`, body);
  const viewSale = async (id: string): Promise<TerminalSale | undefined> =>
    (await call('GET', `/api/sales/${id}`)).body.sale;
  return { app, token, jar, call, start, viewSale };
}

const errorOf = ({ status, body }: { status: number; body: Body }) => [status, body.error?.message];

describe('POST /api/terminals/{terminalId}/sales', () => {
  it('returns the sale at once, and later calls show it waiting and then its outcome', async () => {
    const { app, start, viewSale, call } = await openDesk();
    const id = await newInvoice();
    const { status, body } = await start({ invoiceId: id, amountShown: '184.00' });
    const sale = body.sale;
    expect([status, sale]).toMatchObject([
      202,
      { terminal_name: front.name, invoice_id: id, amount: '184.00', state: 'waiting', is_own: true },
    ]);
    expect(await viewSale(sale?.id ?? '')).toMatchObject({ state: 'waiting', ended_at: null });
    await touch('tap');
    await app.settled();
    expect(await viewSale(sale?.id ?? '')).toMatchObject({
      state: 'approved',
      transaction: { amount: '184.00', card: 'VISA •••• 1111' },
      last_heard: expect.stringMatching(/^20/),
    });
    const desks = (await call('GET', '/api/counter-terminals')).body.desks ?? [];
    expect(desks.map((counter) => [counter.terminal_name, counter.sale?.state])).toEqual([
      [front.name, 'approved'],
      [back.name, undefined],
    ]);
    expect(await control(`charges?order_id=${sale?.id}`)).toMatchObject([{ result: 'APPROVED', amount: '184.00' }]);
  });

  it('streams the sale first and its outcome last to a client that accepts ndjson', async () => {
    const { app, token, viewSale } = await openDesk();
    const response = await app.request(`/api/terminals/${front.terminalId}/sales`, {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json', accept: 'application/x-ndjson' },
      body: JSON.stringify({ invoiceId: await newInvoice() }),
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const line = (await reader?.read())?.value ?? '';
    const { sale } = SaleReply.parse(JSON.parse(line));
    expect([line.endsWith('\n'), sale.state]).toEqual([true, 'waiting']);
    await touch('cancel');
    const lastReply = SaleReply.parse(JSON.parse((await reader?.read())?.value ?? ''));
    expect(lastReply.sale).toMatchObject({ id: sale.id, state: 'cancelled', is_own: true });
    expect(await reader?.read()).toMatchObject({ done: true });
    expect(await viewSale(sale.id)).toEqual(lastReply.sale);
  });

  it('returns each refusal as JSON with its own status before the stream opens', async () => {
    const { app, token, start } = await openDesk();
    const id = await newInvoice();
    await start({ invoiceId: id });
    const refusals: { status: number; code: string; body: object; terminalId?: string; by?: string }[] = [
      { status: 409, code: 'terminal-busy', body: { invoiceId: await newInvoice() } },
      { status: 409, code: 'at-the-desk', body: { invoiceId: id }, terminalId: back.terminalId },
      { status: 404, code: 'not-found', body: { invoiceId: id }, terminalId: 'nothing' },
      { status: 422, code: 'invalid', body: { invoiceId: '' } },
      {
        status: 409,
        code: 'amount-changed',
        terminalId: back.terminalId,
        body: { invoiceId: await newInvoice(), amountShown: '1.00' },
      },
      { status: 401, code: 'unauthorized', body: { invoiceId: id }, by: 'nobody' },
    ];
    for (const { status, code, body, terminalId = front.terminalId, by = token } of refusals) {
      const response = await app.request(`/api/terminals/${terminalId}/sales`, {
        method: 'POST',
        headers: { ...bearer(by), 'content-type': 'application/json', accept: 'application/x-ndjson' },
        body: JSON.stringify(body),
      });
      expect([response.status, response.headers.get('content-type')?.split(';')[0]], code).toEqual([
        status,
        'application/json',
      ]);
      expect(((await response.json()) as Body).error?.code).toBe(code);
    }
    await cancelSale(app);
  });

  it('completes the sale when the client closes the open stream', async () => {
    const { app, token, viewSale } = await openDesk();
    const response = await app.request(`/api/terminals/${front.terminalId}/sales`, {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json', accept: 'application/x-ndjson' },
      body: JSON.stringify({ invoiceId: await newInvoice() }),
    });
    const reader = response.body?.getReader();
    const { sale } = JSON.parse(new TextDecoder().decode((await reader?.read())?.value)) as SaleReply;
    await reader?.cancel();
    const completion = app.settled();
    await touch('tap');
    await completion;
    expect(await viewSale(sale.id)).toMatchObject({ state: 'approved' });
  });

  it('refuses a busy card reader or an invoice that is already at a reader, and names the person, start time and invoice', async () => {
    const { app, start } = await openDesk();
    const [first, second] = [await newInvoice({ number: 'INV-7001' }), await newInvoice()];
    await start({ invoiceId: first });
    const facts = `${hubs[0].users[0]?.email}, INV-7001, $184.00.`;
    const busyReply = await start({ invoiceId: second });
    expect([busyReply.status, busyReply.body]).toMatchObject([
      409,
      { error: { code: 'terminal-busy' }, busy: { invoice_number: 'INV-7001', terminal_name: front.name } },
    ]);
    expect(busyReply.body.error?.message).toMatch(new RegExp(`^${front.name} has been busy since \\d+:\\d\\d [AP]M: `));
    expect(busyReply.body.error?.message.endsWith(facts)).toBe(true);
    const secondSale = await start({ invoiceId: first }, back);
    expect([secondSale.status, secondSale.body.error?.code]).toEqual([409, 'at-the-desk']);
    await touch('decline');
    await app.settled();
    const nextSale = await start({ invoiceId: second });
    expect(nextSale.status).toBe(202);
    await touch('cancel');
    await app.settled();
  });

  it('reports an offline card reader', async () => {
    const { app, start, viewSale } = await openDesk();
    await touch('offline');
    const { body } = await start({ invoiceId: await newInvoice() });
    await app.settled();
    expect(await viewSale(body.sale?.id ?? '')).toMatchObject({ state: 'offline', last_heard: null });
  });

  it('finds the sale by order id when the connection breaks while the reader waits for a card', async () => {
    const { app, start, viewSale } = await openDesk();
    const { body } = await start({ invoiceId: await newInvoice() });
    const id = body.sale?.id ?? '';
    await touch('cut');
    await app.settled();
    expect(await viewSale(id)).toMatchObject({ state: 'unknown' });
    await touch('tap');
    await expect.poll(async () => (await viewSale(id))?.state, { timeout: 15_000, interval: 500 }).toBe('approved');
  });

  it('rejects an invalid sale with a clear message', async () => {
    const { start, call } = await openDesk();
    const id = await newInvoice();
    for (const foreignId of ['nothing', "' OR 1=1--", '%00', '9'.repeat(80)]) {
      const answer = await call('POST', `/api/terminals/${encodeURIComponent(foreignId)}/sales`, { invoiceId: id });
      expect(errorOf(answer), foreignId).toEqual([404, 'Terminal not found.']);
    }
    expect(errorOf(await start({ invoiceId: '1234567890123' }))).toEqual([404, 'No invoice found']);
    for (const invoiceId of [undefined, '', 7, "' OR 1=1--", 'a'.repeat(65)]) {
      expect(errorOf(await start({ invoiceId })), String(invoiceId)).toEqual([422, 'Please choose an invoice.']);
    }
    expect(errorOf(await start({ invoiceId: id, attemptId: 'x' }))).toEqual([422, 'The attempt key is not valid.']);
    expect(errorOf(await start('{'))).toEqual([400, 'The request could not be read.']);
    expect(errorOf(await start([]))).toEqual([422, 'The request could not be read.']);
    expect((await start(`"${'x'.repeat(11_000)}"`)).status).toBe(413);
    const text = await call('POST', `/api/terminals/${front.terminalId}/sales`, '{}', { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
    expect(errorOf(await call('GET', '/api/sales/nothing'))).toEqual([404, 'Sale not found.']);
    expect(await control(`charges?invoice=${id}`)).toEqual([]);
  });

  it('rejects another site, a browser without its refresh token and another account', async () => {
    const counter = await openDesk();
    const id = await newInvoice();
    const path = `/api/terminals/${front.terminalId}/sales`;
    const browser = { origin: 'http://localhost:8787', 'sec-fetch-site': 'same-origin' };
    expect((await counter.call('POST', path, { invoiceId: id }, browser)).status).toBe(401);
    const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await counter.call('POST', path, { invoiceId: id }, crossSite)).status).toBe(403);
    const { token } = await logIn(counter.app, 1);
    const foreignReply = await counter.call('POST', path, { invoiceId: id }, bearer(token));
    expect(errorOf(foreignReply)).toEqual([404, 'Terminal not found.']);
    const withRefreshToken = { ...browser, ...cookieOf(counter.jar) };
    const { status, body } = await counter.call('POST', path, { invoiceId: id }, withRefreshToken);
    expect(status).toBe(202);
    expect((await counter.call('GET', `/api/sales/${body.sale?.id}`, undefined, bearer(token))).status).toBe(404);
    await cancelSale(counter.app);
  });
});

const cookieOf = (jar: Jar) => jar.header;

async function cancelSale(app: TestApp) {
  await touch('cancel');
  await app.settled();
}
