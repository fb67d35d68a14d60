import { randomUUID } from 'node:crypto';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { escapeHtml } from '#shared/text/escape';
import { idOf, renderAnswer, type Transaction } from './transactions.ts';

export const exchangeId = (kind: string) => `ID-clearent-${kind}-${randomUUID()}`;

/** Thrown if no charge was attempted. The payload has only an error. */
export class GatewayProblem extends Error {
  readonly status: ContentfulStatusCode;
  readonly body: Record<string, unknown>;

  constructor(status: ContentfulStatusCode, resultCode: string, message: string) {
    super(message);
    this.status = status;
    // The vendor's sample of a refused key has no exchange id.
    this.body = {
      code: String(status),
      status: 'fail',
      ...(status === 401 ? {} : { 'exchange-id': exchangeId('error') }),
      payload: { payloadType: 'error', error: errorOf(resultCode, message) },
    };
  }
}

export const errorOf = (resultCode: string, message: string) => ({
  'error-message': message,
  'result-code': resultCode,
  'time-stamp': new Date().toISOString(),
});

export const validationProblem = (message: string) => new GatewayProblem(400, '041', message);

export function success(kind: string, payload: Record<string, unknown>, extra: Record<string, unknown> = {}) {
  return { code: '200', status: 'success', 'exchange-id': exchangeId(kind), ...extra, payload };
}

/** The gateway's response to one call, the transaction that it concerns, and the one that the call created, if any. */
export type Answer = {
  status: ContentfulStatusCode;
  body: Record<string, unknown>;
  transaction?: Transaction;
  recordedTransaction?: Transaction;
};

const linksTo = (row: Transaction) => [
  { rel: 'transaction', href: `/rest/v2/transactions?id=${idOf(row.seq)}`, id: idOf(row.seq) },
];

export function approvedAnswer(row: Transaction): Answer {
  const payload = { payloadType: 'transaction', transaction: renderAnswer(row) };
  return { status: 200, body: success('transaction', payload, { links: linksTo(row) }), transaction: row };
}

/** A decline has a transaction and an error, whose codes may differ (the vendor's sample has 018 and 073). */
export function declinedAnswer(row: Transaction): Answer {
  return {
    status: 402,
    body: {
      code: '402',
      status: 'fail',
      'exchange-id': exchangeId('transaction'),
      links: linksTo(row),
      payload: { payloadType: 'error', transaction: renderAnswer(row), error: errorOf('073', row.display_message) },
    },
    transaction: row,
  };
}

/** The response for a transaction that was just created. */
export const newAnswer = (row: Transaction): Answer => ({
  ...(row.result === 'APPROVED' ? approvedAnswer(row) : declinedAnswer(row)),
  recordedTransaction: row,
});

export const problemAnswer = ({ status, body }: GatewayProblem): Answer => ({ status, body });

export const refusal = (status: ContentfulStatusCode, resultCode: string, message: string): Answer =>
  problemAnswer(new GatewayProblem(status, resultCode, message));

type Query = Record<string, string | undefined>;

/**
 * Parses "2024-04-09 14:53" or a plain date as UTC, as the gateway writes times. With `last`, it returns the end of
 * that minute or day instead of its start.
 */
export function timeOf(text: string, end: 'first' | 'last'): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isMinute = /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(text);
  const start = Date.parse(isDay ? `${text}T00:00:00Z` : `${text.replace(' ', 'T')}Z`);
  if (end === 'first') return start;
  return start + (isDay ? 86_400_000 : isMinute ? 60_000 : 1) - 1;
}

export type PageWindow = { size: number; offset: number; describe(count: number): Record<string, unknown> };

/** The vendor's documents show both spellings of the page size. */
export function pageOf(
  query: Query,
  total: number,
  sort?: { property: string; direction: 'ASC' | 'DESC' },
): PageWindow {
  const size = Math.min(100, Math.max(1, Number(query['page-size'] ?? query.pageSize ?? 20) || 20));
  const number = Math.max(1, Number(query.page ?? 1) || 1);
  const pages = Math.ceil(total / size);
  return {
    size,
    offset: (number - 1) * size,
    describe: (count) => ({
      number,
      size,
      'number-of-elements': count,
      'total-elements': total,
      'total-pages': pages,
      first: number === 1,
      last: number >= pages,
      ...(sort ? { sort: [sort] } : {}),
    }),
  };
}

/** A JSON response. Callers get it as XML if they request XML or if a fault demands it. */

type Envelope = Record<string, unknown> & { payload?: Record<string, unknown> & { payloadType?: string } };

function element(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => element(name, item)).join('');
  if (typeof value !== 'object' || value === null) return `<${name}>${escapeHtml(String(value ?? ''))}</${name}>`;
  const inner = Object.entries(value)
    .map(([key, member]) => element(key, member))
    .join('');
  return `<${name}>${inner}</${name}>`;
}

/** Converts a JSON response to XML, which names the payload type of a decline differently. */
export async function convertToXml(response: Response): Promise<Response> {
  const { payload = {}, ...rest }: Envelope = JSON.parse((await response.text()) || '{}');
  const { payloadType = '', ...members } = payload;
  const type = payloadType === 'error' && members.transaction ? 'errorTransaction' : payloadType;
  const body = `${Object.entries(rest)
    .map(([name, value]) => element(name, value))
    .join('')}${element('payload', members).replace('<payload>', `<payload type="${escapeHtml(type)}">`)}`;
  return new Response(`<?xml version="1.0" encoding="UTF-8"?><response>${body}</response>`, {
    status: response.status,
    headers: { 'content-type': 'application/xml' },
  });
}

export const requestsXml = (accept: string | undefined) =>
  /\bxml\b/.test(accept ?? '') && !/json|html/.test(accept ?? '');
