import http from 'node:http';
import net from 'node:net';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import type { useProduct } from '#tests/support/product';
import { invoices, ledger, paymentAttempts } from '#worker/data/schema';

export type Product = ReturnType<typeof useProduct>;

/** An answer as it came over the wire, whichever client asked. */
export type Answer = { status: number; headers: Headers; text: string };

export type Ask = {
  method?: string;
  headers?: Record<string, string>;
  /** An array is sent in these pieces, without a length. */
  body?: string | string[];
};

const MS = 30_000;

/** One request that goes out as it is written: any method, any Host, a path that nothing has tidied up. */
export function ask(base: string, path: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const length = typeof body === 'string' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
    const request = http.request(
      { hostname, port, path, method, headers: { ...length, ...headers }, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const answered = new Headers();
          for (const [name, value] of Object.entries(response.headers)) answered.set(name, String(value));
          resolve({ status: response.statusCode ?? 0, headers: answered, text: Buffer.concat(parts).toString() });
        });
      },
    );
    request.setTimeout(MS, () => request.destroy(new Error(`no answer to ${method} ${path}`)));
    request.on('error', reject);
    for (const part of Array.isArray(body) ? body : [body ?? '']) if (part) request.write(part);
    request.end();
  });
}

/** Bytes as a broken client writes them; answers the status line. */
export function askRaw(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.setTimeout(MS, () => socket.destroy(new Error('no answer')));
    socket.on('data', (part) => {
      text += String(part);
      if (text.includes('\r\n')) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''));
  });
}

export const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
});

const EVERYWHERE: Record<string, string | RegExp> = {
  'strict-transport-security': /max-age=31536000/,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': /^(no-referrer|strict-origin-when-cross-origin)$/,
  'permissions-policy': /camera=\(\)/,
  'content-security-policy': /frame-ancestors 'none'/,
};
const BY_THE_WORKER: Record<string, RegExp | string> = {
  'cross-origin-resource-policy': 'same-origin',
  'x-request-id': /^[0-9a-f-]{36}$/,
};
const PRIVATE = { 'cache-control': /no-store/ };

function expectHeaders({ headers }: Answer, wanted: Record<string, string | RegExp>) {
  for (const [name, value] of Object.entries(wanted)) {
    if (typeof value === 'string') expect(headers.get(name), name).toBe(value);
    else expect(headers.get(name), name).toMatch(value);
  }
}

/** What every page and file carries, served with or without the Worker. */
export const expectGuarded = (answer: Answer) => expectHeaders(answer, EVERYWHERE);

/** What every answer of the Worker carries: nothing of it may stay in a cache either. */
export const expectPrivate = (answer: Answer) => expectHeaders(answer, { ...EVERYWHERE, ...BY_THE_WORKER, ...PRIVATE });

const SENTENCE = /^[A-Z][^<>{}\n]{0,118}[.!]$|^No invoice found$|^Please fill in all required fields: [\w ,]+$/;
const LEAK = /\bat \w+ \(|SQLITE|D1_ERROR|SELECT |undefined|\[object|stack|Error:/;

type ErrorBody = {
  code?: string;
  status?: string;
  payload?: { payloadType?: string; error?: { 'error-message': string; 'result-code': string } };
  error?: { code?: string; message?: string; fields?: string[] };
};

/** The one error body, with a sentence that a person can act on and nothing of the inside. */
export function expectError(answer: Answer, status: number, message?: string): ErrorBody {
  expect(answer.status, answer.text.slice(0, 300)).toBe(status);
  expectPrivate(answer);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  const body = JSON.parse(answer.text) as ErrorBody;
  expect(body.error?.code).toMatch(/^[a-z-]+$/);
  expect(body.error?.message).toMatch(message === undefined ? SENTENCE : /./);
  if (message !== undefined) expect(body.error?.message).toBe(message);
  expect(answer.text).not.toMatch(LEAK);
  return body;
}

/** A refused payment: the error body inside the envelope of the pay call. */
export function expectRefused(answer: Answer, status: number, message?: string): ErrorBody {
  const body = expectError(answer, status, message);
  expect(body).toMatchObject({ code: String(status), status: 'fail', payload: { payloadType: 'error' } });
  return body;
}

type Made = { invoiceId: string; number: string };

/** What was booked for an invoice, as D1 holds it. */
export async function booked({ deps, hub }: Product, { invoiceId }: Pick<Made, 'invoiceId'>) {
  const { db } = deps();
  const [rows, attempts, [invoice]] = await db.batch([
    db.select().from(ledger).where(eq(ledger.invoiceId, invoiceId)),
    db.select().from(paymentAttempts).where(eq(paymentAttempts.invoiceId, invoiceId)),
    db.select().from(invoices).where(eq(invoices.invoiceId, invoiceId)),
  ]);
  const own = <T extends { hubId: number }>(all: T[]) => all.filter(({ hubId }) => hubId === hub.hubId);
  return { ledger: own(rows), attempts: own(attempts), overlay: invoice?.overlay };
}

/** No charge at the gateway, no row in the ledger, the invoice as open as before. */
export async function expectNoMoney(product: Product, invoice: Made) {
  const { ledger: rows, overlay } = await booked(product, invoice);
  expect(rows, 'ledger').toEqual([]);
  expect(['none', undefined]).toContain(overlay);
  const approved = (await product.charges(invoice.number)).filter(({ result }) => result === 'APPROVED');
  expect(approved, 'charges at the gateway').toEqual([]);
}

/** Charged once at the gateway, booked once, and the two agree. */
export async function expectPaidOnce(product: Product, invoice: Made, amount: string) {
  const charges = (await product.charges(invoice.number)).filter(({ result }) => result === 'APPROVED');
  expect(charges).toHaveLength(1);
  expect(charges[0]?.amount).toBe(amount);
  const { ledger: rows, overlay } = await booked(product, invoice);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    providerTxnId: charges[0]?.id,
    kind: 'payment',
    amountCents: Math.round(Number(amount) * 100),
  });
  expect(overlay).toBe('paid');
  return { charge: charges[0], entry: rows[0] };
}

let last = 0;
/** A payer's address that no other payment of this run has: the brakes count by it. */
export const payerAddress = () => ({
  'cf-connecting-ip': `2001:db8::${(process.pid % 65_536).toString(16)}:${(Date.now() % 65_536).toString(16)}:${(last++ % 65_536).toString(16)}`,
});
