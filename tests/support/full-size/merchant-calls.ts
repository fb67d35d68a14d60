import { eq } from 'drizzle-orm';
import { boarding, hubs, transactionWebhookSecret } from '#sandbox/credentials';
import type { Batch } from '#shared/contracts/payments/batches';
import type { SaleReply } from '#shared/contracts/payments/terminals';
import { consent, Jar } from '#tests/support/consent';
import { signature } from '#tests/support/content/png';
import { logIn, type TestApp } from '#tests/support/login';
import { mailEventBody, signedHeaders } from '#tests/support/mail-news';
import { makeBill, payBill, payIdOf } from '#tests/support/unit/clinic';
import { control, counterTerminal, onlineTerminal } from '#tests/support/wire';
import { createCursors } from '#worker/data/reconciliation/cursors';
import { reversals } from '#worker/data/schema/refunds';
import { ledger, paymentAttempts } from '#worker/data/schema/schema';
import { clinicDay } from '#worker/domain/merchants/clinic-day';
import type { Ask } from './asker.ts';

type Clinic = { app: TestApp; token: string; jar: Jar };
type PaidInvoice = { id: string; payId: string };

const PAGES = [
  ...['/', '/analytics', '/audit', '/batches', '/checks', '/customers', '/help', '/invoices', '/openInvoices'],
  ...['/payments', '/takings', '/transactions', '/transactions/all', '/userinfo'],
];

/** Login, refresh and logout. */
export async function sessionCalls(ask: Ask, { token, jar }: Clinic): Promise<void> {
  const newJar = new Jar();
  const start = await ask('GET /oauth/start', { status: 303 });
  newJar.take(start.response);
  const back = await consent(new URL(start.response.headers.get('location') ?? ''), 0);
  const end = await ask('GET /oauth', { path: `/oauth${back.search}`, headers: newJar.header, status: 303 });
  newJar.take(end.response);
  await ask('GET /app_url');
  await ask('GET /login');
  await ask('GET /api/token/status/:authToken', { path: `/api/token/status/${token}` });
  await ask('GET /api/refresh-access-token', { headers: newJar.header });
  for (const page of PAGES) await ask(`GET ${page}`, { headers: jar.header });
  await ask('GET /account/:part', { path: '/account/team', headers: jar.header });
  await ask('GET /customers/:id', { path: '/customers/3', headers: jar.header });
  await ask('GET /invoice/:crmId', { path: '/invoice/30000003', headers: jar.header });
  await ask('GET /logout', { headers: newJar.header, status: 303 });
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

/** Every variant of a list has its own ceiling, because exporting all rows would hide the cost of one page. */
const LISTS = {
  '/api/invoices': [
    ...['', 'page=30', 'sort=hs_due_date&page=3', 'hs_invoice_status=open', 'hs_balance_due=10..'],
    ...['q=inv', 'q=marta', 'q=smith&hs_invoice_status=paid', 'format=csv'],
  ],
  '/api/customers': ['', 'page=6', 'sort=-owed', 'owed=owes', 'owed=overdue', 'q=marta', 'open=1', 'format=csv'],
  '/api/invoices/getOpenInvoices': ['', 'page=4', 'q=inv'],
};

/** Lists, analytics and the dashboard. */
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

/** Links, signatures and mails of invoices. `paid` is an invoice with a payment. */
export async function invoiceCalls(ask: Ask, { app, token }: Clinic, paid: PaidInvoice): Promise<void> {
  const { id } = await makeBill();
  const pathTo = (rest = '', invoiceId = id) => `/api/invoices/${invoiceId}${rest}`;
  const [link, signatureRoute] = ['POST /api/invoices/:id/link', '/api/invoices/:id/signature'];
  await ask(link, { path: pathTo('/link'), token });
  await ask(link, { path: pathTo('/link'), token });
  await ask('DELETE /api/invoices/:id/link', { path: pathTo('/link'), token, status: 202 });
  await ask('DELETE /api/invoices/:id/link/revocation', { path: pathTo('/link/revocation'), token });
  for (const invoiceId of [id, paid.id]) await ask('GET /api/invoices/:id', { path: pathTo('', invoiceId), token });
  await ask(`PUT ${signatureRoute}`, { path: pathTo('/signature'), token, body: { signature: signature() } });
  await ask(`GET ${signatureRoute}`, { path: pathTo('/signature'), token });
  await ask(`DELETE ${signatureRoute}`, { path: pathTo('/signature'), token });
  const mails = ['sendPaymentLink', 'sendPaymentSuccessEmail'] as const;
  for (const [n, kind] of mails.entries()) {
    const invoiceId = n === 0 ? id : paid.id;
    await ask(`POST /api/invoices/${kind}/:id`, { path: `/api/invoices/${kind}/${invoiceId}`, token });
  }
  const mailRequest = { kind: 'pay-link', to: 'other@payer.example' };
  const { id: unpaid } = await makeBill();
  await ask('POST /api/invoices/:id/emails', { path: pathTo('/emails', unpaid), token, body: mailRequest });
  const { id: recorded } = await makeBill({ status: 'paid' });
  const receipt = { path: pathTo('/itemised-receipt', recorded), token, body: { requestId: crypto.randomUUID() } };
  await ask('POST /api/invoices/:id/itemised-receipt', receipt);
  await app.settled();
  const db = app.deps.db.$client;
  const [mail] = (
    await db.prepare("SELECT id, provider_id FROM outbox WHERE kind = 'pay-link' AND delivery IS NOT NULL").all()
  ).results as { id: string; provider_id: string }[];
  const mailIds = { mail: mail?.id ?? '', providerId: mail?.provider_id ?? '', clinic: app.deps.clinic };
  for (const type of ['email.bounced', 'email.delivered']) {
    const body = mailEventBody({ type, ...mailIds });
    await ask('POST /api/webhooks/mail', { headers: signedHeaders(body), body });
  }
}

/** Counter terminal: a sale, the terminal's batches, and closing the open batch. */
export async function deskCalls(ask: Ask, { app, token }: Clinic): Promise<void> {
  const { terminalId } = counterTerminal();
  await ask('GET /api/counter-terminals', { token });
  await ask('GET /api/terminals', { token });
  await control('settings', { auto_tap: true, terminal_replies: 'bare' });
  const body = { invoiceId: (await makeBill()).id, amountShown: '184.00' };
  const desk = `/api/terminals/${terminalId}`;
  const saleReply = ask<SaleReply>('POST /api/terminals/:terminalId/sales', {
    path: `${desk}/sales`,
    token,
    body,
    status: 202,
  });
  const { sale } = (await saleReply).data;
  await ask('GET /api/sales/:saleId', { path: `/api/sales/${sale.id}`, token });
  await control('settings', { auto_tap: false });

  const route = '/api/terminals/:terminalId';
  const list = await ask<{ batch: Batch[] }>(`GET ${route}/batches`, { path: `${desk}/batches`, token });
  await ask(`GET ${route}/closing`, { path: `${desk}/closing`, token });
  for (const { id } of list.data.batch.slice(0, 2)) {
    await ask(`GET ${route}/batches/:batchId`, { path: `${desk}/batches/${id}`, token });
    await ask(`GET ${route}/batches/:batchId`, { path: `${desk}/batches/${id}?format=csv`, token });
    await ask(`GET ${route}/batches/:batchId/match`, { path: `${desk}/batches/${id}/match`, token });
  }
  await ask(`PUT ${route}/batches/close`, { path: `${desk}/batches/close`, token });
  await app.settled();
}

/** Reversals, and decisions of staff about them. */
export async function reversalCalls(ask: Ask, { app, token }: Clinic): Promise<void> {
  const { terminalId } = onlineTerminal();
  const bill = await makeBill();
  await payBill(app, await payIdOf(app, token, bill.id));
  const paymentPath = `/api/payments/${(await attemptOf(app, bill.id))?.id}`;
  await ask('GET /api/payments/:id/reversal', { path: `${paymentPath}/reversal`, token });
  const body = { kind: 'void', reason: 'Billed twice', requestId: crypto.randomUUID() };
  await ask('POST /api/payments/:id/reversals', { path: `${paymentPath}/reversals`, token, body });
  await ask('GET /api/payments/:id/reversal', { path: `${paymentPath}/reversal`, token });
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
  const addAttempt = (id: string, state: 'approved' | 'needs_human', amountCents = 18_400) =>
    db.insert(paymentAttempts).values({
      id,
      accountId,
      terminalId,
      invoiceId: id,
      collection: 1,
      channel: 'link',
      method: 'card',
      state,
      amountCents,
      cardLastFour: '1111',
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
  const [openId, refundedId] = [`o${crypto.randomUUID()}`, `g${crypto.randomUUID()}`];
  await addAttempt(openId, 'needs_human');
  await addAttempt(refundedId, 'approved');
  await db.insert(reversals).values({
    id: refundedId,
    accountId,
    attemptId: refundedId,
    invoiceId: refundedId,
    kind: 'refund',
    amountCents: 7_110,
    dedupeKey: `${refundedId}-r1`,
    requestKey: refundedId,
    reason: 'Billed twice',
    requestedBy: 1,
    state: 'needs_human',
    holdUntil: now(),
    createdAt: now(),
  });
  const alikeIds = [`a${crypto.randomUUID()}`, `b${crypto.randomUUID()}`];
  const day = await clinicDay(app.deps, accountId);
  const amountCents = 18_499;
  for (const id of alikeIds) {
    await addAttempt(id, 'approved', amountCents);
    await db.insert(ledger).values({
      accountId,
      providerTxnId: id,
      attemptId: id,
      invoiceId: id,
      kind: 'payment',
      amountCents,
      currency: 'USD',
      channel: 'link',
      method: 'card',
      brand: 'VISA',
      at: now(),
      day,
    });
  }
  await ask('GET /api/matching', { token });
  const note = 'Called the provider';
  await ask('POST /api/look-alikes', { token, body: { payment_ids: alikeIds, note } });
  await ask('POST /api/payments/:id/resolution', {
    path: `/api/payments/${openId}/resolution`,
    token,
    body: { verdict: 'not-charged', note },
  });
  await ask('POST /api/reversals/:id/resolution', {
    path: `/api/reversals/${refundedId}/resolution`,
    token,
    body: { verdict: 'not-happened', note },
  });
}

/** Reads the provider's transactions on demand, and receives a webhook about one. */
export async function matchingCalls(ask: Ask, { app, token }: Clinic): Promise<void> {
  // In production the cron creates the cursors.
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
