import { eq } from 'drizzle-orm';
import { boarding, hubs, transactionWebhookSecret } from '#sandbox/credentials';
import type { Batch } from '#shared/contracts/payments/batches';
import type { SaleReply } from '#shared/contracts/payments/terminals';
import { consent, Jar } from '#tests/support/consent';
import { signature } from '#tests/support/content/png';
import { logIn, type TestApp } from '#tests/support/login';
import { newsHeaders, newsOf } from '#tests/support/mail-news';
import { makeBill, payBill, payIdOf } from '#tests/support/unit/clinic';
import { control, counterTerminal, onlineTerminal } from '#tests/support/wire';
import { createCursors } from '#worker/data/reconciliation/cursors';
import { reversals } from '#worker/data/schema/refunds';
import { paymentAttempts } from '#worker/data/schema/schema';
import type { Ask } from './asker.ts';

type Clinic = { app: TestApp; token: string; jar: Jar };
type Paid = { id: string; payId: string };

const PAGES = [
  ...['/', '/analytics', '/audit', '/batches', '/checks', '/customers', '/help', '/invoices', '/openInvoices'],
  ...['/payments', '/takings', '/transactions', '/transactions/all', '/userinfo'],
];

/** Login, refresh and logout. */
export async function sessionCalls(ask: Ask, { token, jar }: Clinic): Promise<void> {
  const own = new Jar();
  const started = await ask('GET /oauth/start', { status: 303 });
  own.take(started.response);
  const back = await consent(new URL(started.response.headers.get('location') ?? ''), 0);
  own.take((await ask('GET /oauth', { path: `/oauth${back.search}`, headers: own.header, status: 303 })).response);
  await ask('GET /app_url');
  await ask('GET /login');
  await ask('GET /api/token/status/:authToken', { path: `/api/token/status/${token}` });
  await ask('GET /api/refresh-access-token', { headers: own.header });
  for (const page of PAGES) await ask(`GET ${page}`, { headers: jar.header });
  await ask('GET /account/:part', { path: '/account/team', headers: jar.header });
  await ask('GET /customers/:id', { path: '/customers/3', headers: jar.header });
  await ask('GET /invoice/:crmId', { path: '/invoice/30000003', headers: jar.header });
  await ask('GET /logout', { headers: own.header, status: 303 });
}

/** The application of a business, and the provider's webhooks about it. */
export async function boardingCalls(ask: Ask, app: TestApp): Promise<void> {
  const { token } = await logIn(app, 1);
  await ask('POST /api/token/setup-merchant', { token, body: { dbaName: 'Harbor Physio' } });
  const row = await app.deps.db.query.merchants.findFirst();
  await ask('POST /api/webhooks/boarding/:secret', {
    path: `/api/webhooks/boarding/${boarding.webhookSecret}`,
    body: { event: 'Approved', merchantId: row?.merchantNumber ?? '', payload: {} },
    status: 204,
  });
  await ask('GET /api/token/get-merchant', { token });
  await ask('GET /api/token/get-merchant-data', { token });
  await ask('GET /api/token/get-merchant-logs', { token });
  await ask('GET /api/token/footer-text', { token });
  await ask('PUT /api/token/footer-text', { token, body: { footer_text: 'Thank you.' } });
}

/** Every variant of a list has its own ceiling: a file of all rows would hide the cost of one page. */
const LISTS = {
  '/api/invoices': [
    ...['', 'page=30', 'sort=hs_due_date&page=3', 'hs_invoice_status=open', 'hs_balance_due=10..'],
    ...['q=inv', 'q=marta', 'q=smith&hs_invoice_status=paid', 'format=csv'],
  ],
  '/api/customers': ['', 'page=6', 'sort=-owed', 'owed=owes', 'owed=overdue', 'q=marta', 'open=1', 'format=csv'],
  '/api/invoices/getOpenInvoices': ['', 'page=4', 'q=inv'],
};

export async function listCalls(ask: Ask, { token }: Clinic): Promise<void> {
  for (const [list, queries] of Object.entries(LISTS)) {
    for (const query of queries) await ask(`GET ${list}`, query === '' ? { token } : { token, query });
  }
  await ask('GET /api/customers/:id', { path: '/api/customers/3', token });
  await ask('GET /api/invoices/getCustomer/:id', { path: '/api/invoices/getCustomer/30000003', token });
  for (const query of ['timeframe=week', 'timeframe=year']) await ask('GET /api/analytics/payments', { query, token });
  await ask('GET /api/analytics/payments', { token });
  await ask('GET /api/today', { token });
  for (const query of ['timeframe=week', 'timeframe=year'])
    await ask('GET /api/analytics/comparison', { query, token });
  await ask('GET /api/takings', { token });
  await ask('GET /api/payments', { token });
}

export async function invoiceCalls(ask: Ask, { app, token }: Clinic, paid: Paid): Promise<void> {
  const { id } = await makeBill();
  const at = (rest = '', of = id) => `/api/invoices/${of}${rest}`;
  const [link, kept] = ['POST /api/invoices/:id/link', '/api/invoices/:id/signature'];
  await ask(link, { path: at('/link'), token });
  await ask(link, { path: at('/link'), token });
  await ask('DELETE /api/invoices/:id/link', { path: at('/link'), token, status: 202 });
  await ask('DELETE /api/invoices/:id/link/revocation', { path: at('/link/revocation'), token });
  for (const one of [id, paid.id]) await ask('GET /api/invoices/:id', { path: at('', one), token });
  await ask(`PUT ${kept}`, { path: at('/signature'), token, body: { signature: signature() } });
  await ask(`GET ${kept}`, { path: at('/signature'), token });
  await ask(`DELETE ${kept}`, { path: at('/signature'), token });
  const mails = ['sendPaymentLink', 'sendPaymentSuccessEmail'] as const;
  for (const [n, kind] of mails.entries()) {
    const of = n === 0 ? id : paid.id;
    await ask(`POST /api/invoices/${kind}/:id`, { path: `/api/invoices/${kind}/${of}`, token });
  }
  const elsewhere = { kind: 'pay-link', to: 'other@payer.example' };
  const { id: unpaid } = await makeBill();
  await ask('POST /api/invoices/:id/emails', { path: at('/emails', unpaid), token, body: elsewhere });
  const { id: recorded } = await makeBill({ status: 'paid' });
  const itemised = { path: at('/itemised-receipt', recorded), token, body: { requestId: crypto.randomUUID() } };
  await ask('POST /api/invoices/:id/itemised-receipt', itemised);
  await app.settled();
  const db = app.deps.db.$client;
  const [mail] = (
    await db.prepare("SELECT id, provider_id FROM outbox WHERE kind = 'pay-link' AND delivery IS NOT NULL").all()
  ).results as { id: string; provider_id: string }[];
  const told = { mail: mail?.id ?? '', providerId: mail?.provider_id ?? '', clinic: app.deps.clinic };
  for (const type of ['email.bounced', 'email.delivered']) {
    const body = newsOf({ type, ...told });
    await ask('POST /api/webhooks/mail', { headers: newsHeaders(body), body });
  }
}

/** At the counter: a sale, a terminal's batches, and the close of the day. */
export async function deskCalls(ask: Ask, { app, token }: Clinic): Promise<void> {
  const { terminalId } = counterTerminal();
  await ask('GET /api/counter-terminals', { token });
  await ask('GET /api/terminals', { token });
  await control('settings', { auto_tap: true, terminal_replies: 'bare' });
  const body = { invoiceId: (await makeBill()).id, amountShown: '184.00' };
  const desk = `/api/terminals/${terminalId}`;
  const started = ask<SaleReply>('POST /api/terminals/:terminalId/sales', {
    path: `${desk}/sales`,
    token,
    body,
    status: 202,
  });
  const { sale } = (await started).data;
  await ask('GET /api/sales/:saleId', { path: `/api/sales/${sale.id}`, token });
  await control('settings', { auto_tap: false });

  const own = '/api/terminals/:terminalId';
  const list = await ask<{ batch: Batch[] }>(`GET ${own}/batches`, { path: `${desk}/batches`, token });
  await ask(`GET ${own}/closing`, { path: `${desk}/closing`, token });
  for (const { id } of list.data.batch.slice(0, 2)) {
    await ask(`GET ${own}/batches/:batchId`, { path: `${desk}/batches/${id}`, token });
    await ask(`GET ${own}/batches/:batchId`, { path: `${desk}/batches/${id}?format=csv`, token });
    await ask(`GET ${own}/batches/:batchId/match`, { path: `${desk}/batches/${id}/match`, token });
  }
  await ask(`PUT ${own}/batches/close`, { path: `${desk}/batches/close`, token });
  await app.settled();
}

/** Reversals, and a person's decisions about them. */
export async function reversalCalls(ask: Ask, { app, token }: Clinic): Promise<void> {
  const { terminalId } = onlineTerminal();
  const bill = await makeBill();
  await payBill(app, await payIdOf(app, token, bill.id));
  const of = `/api/payments/${(await attemptOf(app, bill.id))?.id}`;
  await ask('GET /api/payments/:id/reversal', { path: `${of}/reversal`, token });
  const body = { kind: 'void', reason: 'Billed twice', requestId: crypto.randomUUID() };
  await ask('POST /api/payments/:id/reversals', { path: `${of}/reversals`, token, body });
  await ask('GET /api/payments/:id/reversal', { path: `${of}/reversal`, token });
  await ask('POST /api/invoices/:id/collect-again', {
    path: `/api/invoices/${bill.id}/collect-again`,
    token,
    body: {},
  });
  await decisionCalls(ask, { app, token }, terminalId);
}

/** The only attempt to pay an invoice. */
export const attemptOf = ({ deps }: TestApp, invoiceId: string) =>
  deps.db.query.paymentAttempts.findFirst({ where: eq(paymentAttempts.invoiceId, invoiceId) });

async function decisionCalls(ask: Ask, { app, token }: Omit<Clinic, 'jar'>, terminalId: string): Promise<void> {
  const { db, now } = app.deps;
  const { hubId: accountId } = hubs[0];
  const attempt = (id: string, state: 'approved' | 'needs_human') =>
    db.insert(paymentAttempts).values({
      id,
      accountId,
      terminalId,
      invoiceId: id,
      collection: 1,
      channel: 'link',
      method: 'card',
      state,
      amountCents: 18_400,
      currency: 'USD',
      invoiceNumber: id,
      dedupeKey: id,
      receiptId: id,
      providerTxnId: id,
      holdUntil: now(),
      createdAt: now(),
      timeZone: 'UTC',
      day: '2026-03-04',
      nextCheckAt: null,
    });
  const [open, given] = [`o${crypto.randomUUID()}`, `g${crypto.randomUUID()}`];
  await attempt(open, 'needs_human');
  await attempt(given, 'approved');
  await db.insert(reversals).values({
    id: given,
    accountId,
    attemptId: given,
    invoiceId: given,
    kind: 'refund',
    amountCents: 7_110,
    dedupeKey: `${given}-r1`,
    requestKey: given,
    reason: 'Billed twice',
    requestedBy: 1,
    state: 'needs_human',
    holdUntil: now(),
    createdAt: now(),
  });
  await ask('GET /api/matching', { token });
  const note = 'Called the provider';
  await ask('POST /api/payments/:id/resolution', {
    path: `/api/payments/${open}/resolution`,
    token,
    body: { verdict: 'not-charged', note },
  });
  await ask('POST /api/reversals/:id/resolution', {
    path: `/api/reversals/${given}/resolution`,
    token,
    body: { verdict: 'not-happened', note },
  });
}

/** Reads the provider's transactions at once, and gets a webhook about one. */
export async function matchingCalls(ask: Ask, { app, token }: Clinic): Promise<void> {
  // In production the cron makes the cursors.
  await createCursors(app.deps.db, app.deps.now());
  await ask('POST /api/matching', { token, body: {} });
  const { terminalId } = onlineTerminal();
  const transaction = { id: '1', type: 'SALE', result: 'APPROVED', 'order-id': '', 'terminal-id': terminalId };
  await ask('POST /api/webhooks/transactions/:secret', {
    path: `/api/webhooks/transactions/${transactionWebhookSecret}`,
    body: { code: '200', status: 'success', payload: { payloadType: 'transaction', transaction } },
    status: 204,
  });
}
