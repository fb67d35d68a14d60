import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PayLinkReply } from '#shared/contracts/payments/pay-links';
import type { BusyReply, SaleReply, TerminalSale, TerminalsReply } from '#shared/contracts/payments/terminals';
import { bearer } from '#tests/support/consent';
import { type InvoiceFields, until, useProduct } from '#tests/support/product/product';
import { counterTerminal } from '#tests/support/wire';
import { type Answer, ask, expectError, expectPrivate, payerAddress } from './answers.ts';
import { expectNoMoney, expectPaidOnce, readBookings } from './expect-money.ts';
import { logIn } from './merchant.ts';

const product = useProduct();
const { appUrl } = product;
const [front, back] = [counterTerminal(), counterTerminal(1)];
type Terminal = typeof front;
/** The gateway is queried again after some seconds, which take longer on a busy machine. */
const RESULT_MS = 90_000;

let token = '';
beforeAll(async () => {
  await product.set({ auto_tap: false });
  token = (await logIn(appUrl, 0)).token;
});
afterEach(async () => {
  await product.clearFaults();
  // A failed test must not leave a card reader waiting for a card.
  for (const terminal of [front, back]) if (await isWaiting(terminal)) await touch('cancel', terminal);
});

const call = (path: string, init: { method?: string; body?: string; headers?: Record<string, string> } = {}) =>
  ask(appUrl, path, { ...init, headers: { ...bearer(token), 'content-type': 'application/json', ...init.headers } });
const read = <T>({ text }: Answer): T => JSON.parse(text) as T;

/**
 * An open invoice with its link, made by the product itself: a second writer could lock its database during a sale.
 */
async function makeLink(fields: InvoiceFields = {}) {
  const invoice = await product.makeInvoice(fields);
  const answer = await call(`/api/invoices/${invoice.invoiceId}/link`, { method: 'POST', body: '{}' });
  expect(answer.status, answer.text).toBe(200);
  return { ...invoice, payId: read<PayLinkReply>(answer).id };
}
const salesOf = ({ terminalId }: Terminal) => `/api/terminals/${terminalId}/sales`;
const start = (invoiceId: string, terminal = front, headers: Record<string, string> = {}) =>
  call(salesOf(terminal), { method: 'POST', body: JSON.stringify({ invoiceId }), headers });
const saleIn = (answer: Answer): TerminalSale => {
  expect(answer.status, answer.text).toBeLessThan(300);
  expectPrivate(answer);
  return read<SaleReply>(answer).sale;
};
const readSale = async ({ id }: TerminalSale) => saleIn(await call(`/api/sales/${id}`));
const waitForState = (sale: TerminalSale, state: TerminalSale['state']) =>
  until(
    () => readSale(sale),
    (current) => current.state === state,
    RESULT_MS,
  );

const touch = (action: string, { terminalId } = front) => product.sandbox(`terminals/${terminalId}`, { do: action });
const isWaiting = async ({ terminalId } = front) =>
  (await product.sandbox<{ waiting: object | null }>(`terminals/${terminalId}`)).waiting !== null;

/** A sale whose card reader waits for a card. */
async function begin(invoiceId: string, terminal = front): Promise<TerminalSale> {
  const answer = await start(invoiceId, terminal);
  expect(answer.status, answer.text).toBe(202);
  const sale = saleIn(answer);
  expect(sale.state).toBe('waiting');
  await until(
    () => isWaiting(terminal),
    (waits) => waits,
  );
  return sale;
}

const pay = async (payId: string) => product.pay(payId, await product.form(), payerAddress());

describe('a sale on a card reader', { timeout: 2 * RESULT_MS }, () => {
  it('is approved once for all viewers when the card is tapped, and blocks the payer’s link', async () => {
    const link = await makeLink();
    const sale = await begin(link.invoiceId);
    expect(sale).toMatchObject({
      terminal_id: front.terminalId,
      terminal_name: front.name,
      invoice_id: link.invoiceId,
      invoice_number: link.number,
      customer: 'Marta Núñez',
      amount: '184.00',
      currency: 'USD',
      is_own: true,
      ended_at: null,
      transaction: null,
    });
    expect((await pay(link.payId)).status).toBe(409);
    await touch('tap');
    const approved = await waitForState(sale, 'approved');
    expect(approved.transaction).toMatchObject({ amount: '184.00', card: 'VISA •••• 1111' });
    expect(approved.ended_at).toMatch(/^20/);
    await expectPaidOnce(product, link, '184.00');
    expect((await readBookings(product, link)).ledger[0]?.provider_txn_id).toBe(approved.transaction?.id);
    expect((await ask(appUrl, approved.receipt_url ?? '')).status).toBe(200);
    expect((await pay(link.payId)).status).toBe(409);
    expectError(await start(link.invoiceId, back), 409, 'This invoice is already paid. Nothing was started.');
    const { desks } = read<TerminalsReply>(await call('/api/counter-terminals'));
    expect(desks.find(({ terminal_id }) => terminal_id === front.terminalId)?.sale?.id).toBe(sale.id);
  });

  it.each([
    ['decline', 'declined'],
    ['cancel', 'cancelled'],
  ] as const)('charges nothing when it ends with %s, and lets the next one start', async (action, state) => {
    const link = await makeLink();
    const sale = await begin(link.invoiceId);
    await touch(action);
    expect(await waitForState(sale, state)).toMatchObject({ transaction: null, receipt_url: null });
    await expectNoMoney(product, link);
    const nextSale = await begin(link.invoiceId);
    await touch('tap');
    await waitForState(nextSale, 'approved');
    await expectPaidOnce(product, link, '184.00');
  });

  it('blocks its card reader for other sales, and its invoice on other card readers', async () => {
    const [first, second] = [await makeLink(), await makeLink()];
    const sale = await begin(first.invoiceId);
    const busy = await start(second.invoiceId);
    expectError(busy, 409);
    expect(read<BusyReply & { error: object }>(busy)).toMatchObject({
      error: { code: 'terminal-busy', message: expect.stringContaining(`${front.name} has been busy since `) },
      busy: { terminal_id: front.terminalId, sale_id: sale.id, invoice_number: first.number, amount: '184.00' },
    });
    expect(read<object>(await start(first.invoiceId, back))).toMatchObject({
      error: { code: 'at-the-desk', message: expect.stringContaining(first.number) },
    });
    await touch('cancel');
    await waitForState(sale, 'cancelled');
    await expectNoMoney(product, second);
  });

  it('charges nothing on an offline card reader, and reports when the reader was last online', async () => {
    const link = await makeLink();
    await touch('offline', back);
    try {
      const sale = saleIn(await start(link.invoiceId, back));
      const { last_heard } = await waitForState(sale, 'offline');
      expect(last_heard === null || !Number.isNaN(Date.parse(last_heard))).toBe(true);
    } finally {
      await touch('online', back);
    }
    await expectNoMoney(product, link);
  });

  it('is looked up after a lost answer until it is known, and charged once', async () => {
    const link = await makeLink();
    await product.fault('terminal', 'drop-after');
    const sale = await begin(link.invoiceId);
    await touch('tap');
    const states = new Set<string>();
    await until(
      async () => {
        const { state } = await readSale(sale);
        states.add(state);
        return state;
      },
      (state) => state === 'approved',
      RESULT_MS,
    );
    // No state ever said that no charge was made.
    expect([...states].filter((state) => !['waiting', 'unknown', 'approved'].includes(state))).toEqual([]);
    await expectPaidOnce(product, link, '184.00');
  });

  it('is hidden from other accounts by card reader, by invoice and by sale id', async () => {
    const link = await makeLink();
    const sale = await begin(link.invoiceId);
    const foreign = bearer((await logIn(appUrl, 1)).token);
    expectError(await start(link.invoiceId, front, foreign), 404, 'Terminal not found.');
    expectError(await call(`/api/sales/${sale.id}`, { headers: foreign }), 404, 'Sale not found.');
    expect(read<TerminalsReply>(await call('/api/counter-terminals', { headers: foreign })).desks).toEqual([]);
    await touch('cancel');
    await waitForState(sale, 'cancelled');
  });

  it('is not started by an invalid request or from another site', async () => {
    const link = await makeLink();
    for (const id of ['99999', "'%20OR%201=1--", '%00', 'a%2fb']) {
      const body = JSON.stringify({ invoiceId: link.invoiceId });
      expectError(await call(`/api/terminals/${id}/sales`, { method: 'POST', body }), 404, 'Terminal not found.');
      expectError(await call(`/api/sales/${id}`), 404, 'Sale not found.');
    }
    expectError(await start('1234567890123'), 404, 'No invoice found');
    expectError(await start("' OR 1=1--"), 422, 'Please choose an invoice.');
    const post = (body: string, headers = {}) => call(salesOf(front), { method: 'POST', body, headers });
    expectError(await post('{'), 400, 'The request could not be read.');
    expectError(await post('{}'), 422, 'Please choose an invoice.');
    expectError(await post(`"${'x'.repeat(11_000)}"`), 413, 'The request is too large.');
    expectError(await start(link.invoiceId, front, { 'content-type': 'text/plain' }), 415);
    expectError(await start(link.invoiceId, front, { origin: 'https://evil.example' }), 403);
    expect(await isWaiting()).toBe(false);
    await expectNoMoney(product, link);
  });
});

describe('a sale with odd CRM replies', { timeout: 2 * RESULT_MS }, () => {
  it.each(['500', 'html-502', '429', 'bad-json', 'drop-before'])(
    'is not started because the amount cannot be confirmed: %s',
    async (trouble) => {
      const link = await makeLink();
      const on = `/crm/objects/2026-09/invoices/${link.invoiceId}`;
      await product.fault(on, trouble, { times: 10 });
      const refused = await start(link.invoiceId);
      expectError(refused, 503, 'We cannot confirm the amount right now. Nothing was started.');
      expect(refused.headers.get('retry-after')).toBe('30');
      await product.clearFaults();
      expect(await isWaiting()).toBe(false);
      await expectNoMoney(product, link);
    },
  );

  it('has no customer name when the invoice has no contact and no company', async () => {
    const link = await makeLink({ contact: null, company: null });
    const sale = await begin(link.invoiceId);
    expect(sale.customer).toBe('');
    await touch('tap');
    await waitForState(sale, 'approved');
    await expectPaidOnce(product, link, '184.00');
  });
});
