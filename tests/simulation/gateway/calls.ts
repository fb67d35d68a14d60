import type { WireAnswer, WireRequest } from '../vendor.ts';
import type { Call } from './faults.ts';
import type { Books } from './gateway-records.ts';
import type { Merchant, Terminal } from './truth.ts';
import { failure } from './wire.ts';

/** A parsed call with its kind, merchant, terminal and fields. */
export type GatewayCall = {
  call: Call;
  merchant: Merchant;
  terminal: Terminal;
  headers: Headers;
  query: URLSearchParams;
  body: Record<string, unknown>;
};

type Route = { method: string; path: string; call: Call; key: 'api-key' | 'public-key' };

const ROUTES: Route[] = [
  { method: 'POST', path: '/rest/v2/mobilejwt/manual', call: 'token', key: 'public-key' },
  { method: 'POST', path: '/rest/v2/mobile/transactions/sale', call: 'sale', key: 'api-key' },
  { method: 'POST', path: '/rest/v2/terminal/transactions/sale', call: 'terminal-sale', key: 'api-key' },
  { method: 'POST', path: '/rest/v2/ach/mobile/transactions/debit', call: 'ach-sale', key: 'api-key' },
  { method: 'POST', path: '/rest/v2/transactions', call: 'void', key: 'api-key' },
  { method: 'GET', path: '/rest/v2/transactions', call: 'find', key: 'api-key' },
  { method: 'GET', path: '/rest/v2/ach/transactions', call: 'ach-find', key: 'api-key' },
  { method: 'GET', path: '/rest/v2/batches', call: 'batches', key: 'api-key' },
  { method: 'GET', path: '/rest/v2/batches/open', call: 'open-batch', key: 'api-key' },
  { method: 'PUT', path: '/rest/v2/batches/open', call: 'close', key: 'api-key' },
  { method: 'PUT', path: '/rest/v2/terminal/batches/open', call: 'close', key: 'api-key' },
  { method: 'GET', path: '/rest/v2/settings/terminal', call: 'settings', key: 'api-key' },
];

/** G1-G4: parses a request into a call, or returns the answer to an invalid request. */
export function readCall(books: Books, request: WireRequest): GatewayCall | WireAnswer {
  const refuse = (status: number, code: string, message: string) =>
    failure(books.nextExchange(), books.world.now(), { status, code, message });
  const path = request.url.pathname.replace(/\/$/, '');
  const pathRoutes = ROUTES.filter((route) => route.path === path);
  const route = pathRoutes.find(({ method }) => method === request.method);
  if (!route) return pathRoutes.length > 0 ? refuse(405, '011', 'Method not allowed') : refuse(404, '056', 'Not found');

  const holder = books.byKey(route.key, request.headers.get(route.key));
  if (!holder) {
    const unauthorized = { status: 401, code: '042', message: 'UNAUTHORIZED' };
    return failure(null, books.world.now(), unauthorized);
  }
  if (!/json|\*\/\*/.test(request.headers.get('accept') ?? '')) {
    return {
      status: 406,
      headers: { 'content-type': 'application/xml' },
      body: '<response><code>406</code></response>',
    };
  }

  if (path.startsWith('/rest/v2/terminal/') && holder.terminal.commerceType !== 'RETAIL') {
    return refuse(402, '028', 'Invalid terminal');
  }
  const body = request.method === 'GET' ? {} : parseBody(request.body);
  if (!body) return refuse(400, '011', 'The request cannot be read');
  const common = { ...holder, headers: request.headers, query: request.url.searchParams, body };
  if (route.call !== 'void') return { call: route.call, ...common };

  if (body.type === 'VOID') return { call: 'void', ...common };
  if (body.type === 'REFUND') return { call: 'refund', ...common };
  return refuse(400, '041', 'The type of transaction is not served');
}

function parseBody(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
    return { ...parsed };
  } catch {
    return null;
  }
}

/** A field's text; null if it is absent, empty or not text. */
export function textOf(body: Record<string, unknown>, field: string): string | null {
  const value = body[field];
  return typeof value === 'string' && value !== '' ? value : null;
}
