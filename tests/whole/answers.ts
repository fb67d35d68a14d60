import http from 'node:http';
import net from 'node:net';
import { expect } from 'vitest';
import { tellAnswer, typeOf } from '#tests/support/openapi/answer-listener';

/** An answer as sent over the wire, from either client. */
export type Answer = { status: number; headers: Headers; text: string };

export type Ask = {
  method?: string;
  headers?: Record<string, string>;
  /** An array is sent in these pieces, without a length. */
  body?: string | string[];
};

const TIMEOUT_MS = 30_000;

/** One raw request: any method, any Host, an unnormalized path. */
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
          const fields = new Headers();
          for (const [name, value] of Object.entries(response.headers)) fields.set(name, String(value));
          const answer = { status: response.statusCode ?? 0, headers: fields, text: Buffer.concat(parts).toString() };
          const [address = ''] = path.split('?');
          if (fields.has('x-request-id')) tellAnswer({ ...answer, method, path: address, type: typeOf(fields) });
          resolve(answer);
        });
      },
    );
    request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error(`no answer to ${method} ${path}`)));
    request.on('error', reject);
    for (const part of Array.isArray(body) ? body : [body ?? '']) if (part) request.write(part);
    request.end();
  });
}

/** Sends bytes as a broken client would; returns the status line. */
export function askRaw(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer')));
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

const ANY: Record<string, string | RegExp> = {
  'strict-transport-security': /max-age=31536000/,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': /^(no-referrer|strict-origin-when-cross-origin)$/,
  'permissions-policy': /camera=\(\)/,
  'content-security-policy': /(default-src|object-src 'none'; base-uri) 'none'.*frame-ancestors 'none'/,
};
const WORKER: Record<string, RegExp | string> = {
  'cross-origin-resource-policy': 'same-origin',
  'x-request-id': /^[0-9a-f-]{36}$/,
};
const PRIVATE = { 'cache-control': /no-store/ };

function expectHeaders({ headers }: Answer, expected: Record<string, string | RegExp>) {
  for (const [name, value] of Object.entries(expected)) {
    if (typeof value === 'string') expect(headers.get(name), name).toBe(value);
    else expect(headers.get(name), name).toMatch(value);
  }
}

/** Headers of every page and file, with or without the Worker. */
export const expectGuarded = (answer: Answer) => expectHeaders(answer, ANY);

/** Headers of every answer of the Worker, which also keep it out of caches. */
export const expectPrivate = (answer: Answer) => expectHeaders(answer, { ...ANY, ...WORKER, ...PRIVATE });

const SENTENCE = /^[A-Z][^<>{}\n]{0,118}[.!]$|^No invoice found$|^Please fill in all required fields: [\w ,]+$/;
const LEAK = /\bat \w+ \(|SQLITE|D1_ERROR|SELECT |undefined|\[object|stack|Error:/;

type ErrorBody = {
  code?: string;
  status?: string;
  payload?: { payloadType?: string; error?: { 'error-message': string; 'result-code': string } };
  error?: { code?: string; message?: string; fields?: string[] };
};

/** The error body, with a sentence that a person can act on and no internal details. */
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

/** Headers without a valid login; the first set is empty. */
export const noBearers: Record<string, string>[] = [
  {},
  ...['Bearer', 'Bearer ', 'Bearer  x y', 'Basic eDp5', `Bearer ${'x'.repeat(60_000)}`].map((authorization) => ({
    authorization,
  })),
];

let last = 0;
/** A payer's address that is unique in this run, because velocity limits count per address. */
export const payerAddress = () => ({
  'cf-connecting-ip': `2001:db8::${(process.pid % 65_536).toString(16)}:${(Date.now() % 65_536).toString(16)}:${(last++ % 65_536).toString(16)}`,
});
