import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { BatchesReply, BatchTransaction, CloseBatchReply, ReversalReply } from '#shared/contracts/payments/batches';
import { bearer } from '#tests/support/consent';
import { until, useProduct } from '#tests/support/product/product';
import { onlineTerminal } from '#tests/support/wire';
import { type Answer, ask, expectError, payerAddress } from './answers.ts';
import { logIn } from './merchant.ts';

const product = useProduct();
const { appUrl } = product;
const online = onlineTerminal();
const desk = `/api/terminals/${online.terminalId}`;
let token = '';
beforeAll(async () => {
  token = (await logIn(appUrl, 0)).token;
});

const call = (path: string, init: { method?: string; body?: string; headers?: Record<string, string> } = {}) =>
  ask(appUrl, path, { ...init, headers: { ...bearer(token), 'content-type': 'application/json', ...init.headers } });
const read = <T>(schema: z.ZodMiniType<T>, { text }: Answer): T => schema.parse(JSON.parse(text));
const close = (path = `${desk}/batches/close`) => call(path, { method: 'PUT' });
const listBatches = async () => read(BatchesReply, await call(`${desk}/batches`)).batch;
const openBatch = async () => (await listBatches()).find(({ status }) => status === 'OPEN');

const pay = async (payId: string) =>
  expect((await product.pay(payId, await product.form(), payerAddress())).status).toBe(200);

async function makePayment(amount = '184.00') {
  const link = await product.makeLink({ amount });
  await pay(link.payId);
  return link;
}

type LoggedCall = { at: string; method: string; path: string };
const closesSince = async (since: string) =>
  (await product.sandbox<LoggedCall[]>(`requests?since=${encodeURIComponent(since)}`)).filter(
    ({ method, path }) => method === 'PUT' && path.endsWith('/batches/open'),
  ).length;

describe('a merchant’s batches', () => {
  it('show every field of a batch, its transactions, and a file with the confirmation code', async () => {
    const { number, invoiceId } = await makePayment('71.10');
    const open = await openBatch();
    expect(open).toEqual({
      id: expect.stringMatching(/^\d+$/),
      status: 'OPEN',
      terminal_name: online.name,
      'terminal-id': online.terminalId,
      'date-opened': expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      settled: null,
      'sales-count': expect.stringMatching(/^\d+$/),
      'sales-total': expect.stringMatching(/^\d+\.\d\d$/),
      'refund-count': expect.stringMatching(/^\d+$/),
      'refund-total': expect.stringMatching(/^\d+\.\d\d$/),
      'net-amount': expect.stringMatching(/^-?\d+\.\d\d$/),
      'confirmation-code': null,
    });
    const transactions = read(z.array(BatchTransaction), await call(`${desk}/batches/${open?.id}`));
    expect(transactions.find(({ payment }) => payment?.invoice_number === number)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      amount: '71.10',
      type: 'SALE',
      result: 'APPROVED',
      'card-type': 'VISA',
      card: 'XXXXXXXXXXXX1111',
      billing: { 'first-name': 'Marta', 'last-name': 'Núñez' },
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      voided: false,
      payment: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        invoice_id: invoiceId,
        invoice_number: number,
        customer_id: expect.stringMatching(/^\d+$/),
        offer: { kind: 'void', left: '71.10', may_refund: '71.10', why: null },
      },
    });
    const closed = await close(`${desk}/batches/close?batch=${open?.id}`);
    expect(closed.status).toBe(200);
    const code = read(CloseBatchReply, closed).batch?.['confirmation-code'];
    expect(code).toMatch(/^CONF/);
    const file = await call(`${desk}/batches/${open?.id}?format=csv`);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="batch-${open?.id}.csv"`);
    expect(file.text).toContain(`"${open?.id}","${code}"`);
  });

  it('close once for twenty simultaneous presses, and leave a sale made in between in the next batch', async () => {
    for (let round = 0; round < 3; round++) {
      const { number } = await makePayment();
      const later = await product.makeLink();
      const open = await openBatch();
      const since = new Date().toISOString();
      const presses = Array.from({ length: 20 }, () => close(`${desk}/batches/close?batch=${open?.id}`));
      const sale = Promise.race(presses).then(() => pay(later.payId));
      const answers = (await Promise.all(presses)).map((answer) => read(CloseBatchReply, answer));
      await sale;
      expect(await closesSince(since)).toBe(1);
      expect(new Set(answers.map(({ status, batch }) => `${status} ${batch?.id}`))).toEqual(
        new Set([`closed ${open?.id}`]),
      );
      const next = await openBatch();
      expect(Number(next?.id)).toBeGreaterThan(Number(open?.id));
      // A late press that names the closed batch closes nothing.
      expect(read(CloseBatchReply, await close(`${desk}/batches/close?batch=${open?.id}`)).batch?.id).toBe(open?.id);
      expect((await openBatch())?.id).toBe(next?.id);
      expect((await product.charges(number)).length).toBe(1);
    }
  });

  it('refuse an invalid request in plain words', async () => {
    const foreign = (await logIn(appUrl, 2)).token;
    for (const [id, headers] of [
      ['99999', {}],
      ["'%20OR%201=1--", {}],
      [online.terminalId, bearer(foreign)],
    ] as const) {
      expectError(await call(`/api/terminals/${id}/batches`, { headers }), 404, 'Terminal not found.');
      expectError(
        await call(`/api/terminals/${id}/batches/close`, { method: 'PUT', headers }),
        404,
        'Terminal not found.',
      );
      expectError(await call(`/api/terminals/${id}/closing`, { headers }), 404, 'Terminal not found.');
    }
    for (const id of ["'%20OR%201=1--", '999999', '%00', 'a%2fb'])
      expectError(await call(`${desk}/batches/${id}`), 404, 'Batch not found.');
    expectError(
      await call(`${desk}/batches/close`, { method: 'PUT', headers: { origin: 'https://evil.example' } }),
      403,
      'Please use the page to close a batch.',
    );
    await makePayment();
    await close();
    // A press without a batch right after a close means the batch that was just closed.
    const later = await until(close, ({ status }) => status !== 200);
    expectError(later, 409, 'There is no open batch to close.');
    const unavailable = await product.withAlarmsHeld(async () => {
      await product.fault('/rest/v2/batches', '500');
      return call(`${desk}/batches`);
    });
    expectError(unavailable, 503, 'Failed to fetch batches: Clearent is not answering.');
    expect(unavailable.headers.get('retry-after')).toBe('30');
  });

  it('find a close whose answer was lost without closing again', async () => {
    await makePayment();
    const open = await openBatch();
    const since = new Date().toISOString();
    await product.fault('/rest/v2/batches/open', 'drop-after');
    const answer = await close(`${desk}/batches/close?batch=${open?.id}`);
    expect(read(CloseBatchReply, answer)).toMatchObject({ status: 'closed', batch: { id: open?.id } });
    expect(await closesSince(since)).toBe(1);
  });
});

describe('a reversal', () => {
  const paymentOf = async (number: string) => {
    const open = await openBatch();
    const transactions = read(z.array(BatchTransaction), await call(`${desk}/batches/${open?.id}`));
    return transactions.find(({ payment }) => payment?.invoice_number === number)?.payment?.id ?? '';
  };
  const reverse = (id: string, body: unknown) =>
    call(`/api/payments/${id}/reversals`, { method: 'POST', body: JSON.stringify(body) });
  const form = (overrides: object = {}) => ({
    kind: 'void',
    reason: 'Booked twice',
    requestId: crypto.randomUUID(),
    ...overrides,
  });

  it('is refused with a reason when the request is invalid, and moves no money', async () => {
    const { number } = await makePayment();
    const id = await paymentOf(number);
    const invalidRequests: [object, number, string][] = [
      [form({ reason: '   ' }), 422, 'Please give a reason.'],
      [form({ reason: undefined }), 422, 'Please give a reason.'],
      [form({ reason: 'x'.repeat(201) }), 422, 'Please keep the reason to 200 characters.'],
      [form({ reason: 'a\u0000b' }), 422, 'The reason contains characters that are not allowed.'],
      [form({ kind: 'steal' }), 422, 'The request could not be read.'],
      [form({ requestId: '1' }), 422, 'The request could not be read.'],
      [form({ kind: 'refund' }), 422, 'Please enter an amount.'],
      [form({ kind: 'refund', amount: '-1.00' }), 422, 'Please enter an amount like 71.10.'],
      [form({ kind: 'refund', amount: '1e9' }), 422, 'Please enter an amount like 71.10.'],
      [form({ kind: 'refund', amount: '1.005' }), 422, 'Please enter an amount like 71.10.'],
      [
        form({ kind: 'refund', amount: '1.00' }),
        409,
        'Its batch is still open: void the payment instead. Nothing was refunded.',
      ],
    ];
    for (const [body, status, message] of invalidRequests) expectError(await reverse(id, body), status, message);
    expectError(await reverse('nothing', form()), 404, 'Payment not found.');
    const foreign = bearer((await logIn(appUrl, 2)).token);
    expectError(
      await call(`/api/payments/${id}/reversals`, { method: 'POST', body: JSON.stringify(form()), headers: foreign }),
      404,
      'Payment not found.',
    );
    expect((await product.charges(number)).map(({ type }) => type)).toEqual(['SALE']);
  });

  it('makes one void when one press arrives ten times and its answer is lost', async () => {
    const { number, payId } = await makePayment();
    const id = await paymentOf(number);
    const body = form();
    await product.fault('/rest/v2/transactions', 'drop-after');
    await Promise.all(Array.from({ length: 10 }, () => reverse(id, body)));
    const last = await reverse(id, body);
    expect(last.status).toBe(200);
    expect(read(ReversalReply, last)).toMatchObject({ message: 'Voided $184.00. Clearent confirmed it.' });
    expect((await product.charges(number)).map(({ type }) => type)).toEqual(['SALE', 'VOID']);
    expect((await product.pay(payId, await product.form(), payerAddress())).status).toBe(409);
  });
});
