import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Deps, Env } from '#worker/deps';
import { redeemHandoffCode } from '#worker/http/guards/browser-session';
import { isOwnHost, refuseMisdirected } from '#worker/http/guards/host-and-origin';
import { apiError, onError } from '#worker/http/reply/errors';
import { permissionsPolicy } from '#worker/http/reply/permissions-policy';
import { registerDeps, runToCompletion } from '#worker/http/reply/run-to-completion';
import { consoleLog, type LogFields } from '#worker/log';

/** The maximum number of bytes to drain from an unread body. */
const MAX_DRAINED_BYTES = 16_000_000;

/** Reads a body. Bytes over the limit are counted but not kept. */
async function readBody(body: ReadableStream<Uint8Array<ArrayBuffer>>, maxBytes: number) {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else if (size > MAX_DRAINED_BYTES) break;
  }
  return { parts, isTooLarge: size > maxBytes };
}

/**
 * Drains the unread body so that the client receives our response, because a client or proxy that is still sending
 * would otherwise see a broken connection.
 */
export const drainBody = ({ body, bodyUsed }: Request): Promise<unknown> | undefined =>
  // A client that has disconnected needs no response.
  body && !bodyUsed ? readBody(body, 0).catch(() => undefined) : undefined;

/**
 * Refuses a body over the limit, with or without a declared length. Bodies of GET and HEAD requests are ignored,
 * because they have no meaning and the Request constructor refuses them.
 */
export function limitBody(maxBytes: number, refuse: (c: Context) => Response): MiddlewareHandler {
  return async (c, next) => {
    const { body, method } = c.req.raw;
    if (!body || method === 'GET' || method === 'HEAD') return next();
    const received = await readBody(body, maxBytes).catch(() => null);
    // The client disconnected, which is not our error. It does not receive this response.
    if (!received) return apiError(c, 400, 'bad-request', 'The request could not be read.');
    if (received.isTooLarge) return refuse(c);
    c.req.raw = new Request(c.req.raw, { body: await new Blob(received.parts).arrayBuffer() });
    return next();
  };
}

/** Static files get the same values from site/public/_headers. */
const SECURITY_HEADERS = Object.entries({
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
});

const DEFAULT_PERMISSIONS_POLICY = permissionsPolicy();

/** The route pattern and the clinic that a lazily loaded area found, by forwarded request. */
const innerRoutes = new WeakMap<Request, { route: string; clinic: unknown }>();

/** Request ids, for the area to which a request is forwarded. */
const requestIds = new WeakMap<Request, string>();

/**
 * Middleware of an area. Adopts the request id, and puts the area's own route into the log line instead of the pattern
 * that forwarded the request.
 */
export const recordRoute: MiddlewareHandler = async (c, next) => {
  const { raw } = c.req;
  c.set('requestId', requestIds.get(raw));
  try {
    await next();
  } finally {
    innerRoutes.set(raw, { route: routePath(c), clinic: c.get('clinic') });
  }
};

/**
 * Wraps every request. Adds a request id, checks the host, redeems a handoff code in the URL, sets the security headers
 * and writes one log line. The line contains the route pattern, because URLs contain pay ids, receipts, tokens and
 * secrets. It is one function that modifies the response in place, because every payer waits for it.
 */
export function everyRequest(depsOf: (env: Env) => Deps): MiddlewareHandler {
  const handle: MiddlewareHandler = async (c, next) => {
    const startedAt = Date.now();
    const { raw } = c.req;
    const requestId = crypto.randomUUID();
    c.set('requestId', requestId);
    requestIds.set(raw, requestId);
    let deps: Deps | undefined;
    try {
      deps = depsOf(c.env);
      c.set('log', deps.log);
      registerDeps(c, deps);
      const earlyResponse = isOwnHost(deps.settings.APP_URL, raw.url)
        ? redeemHandoffCode(c, deps)
        : refuseMisdirected(c);
      if (earlyResponse) c.res = await earlyResponse;
      else await next();
    } catch (cause) {
      c.res = await onError(cause as Error, c);
    }
    await drainBody(raw);

    const { headers, status } = c.res;
    for (const [name, value] of SECURITY_HEADERS) headers.set(name, value);
    headers.set('x-request-id', requestId);
    // A page that requires another value has already set it.
    if (!headers.has('permissions-policy')) headers.set('permissions-policy', DEFAULT_PERMISSIONS_POLICY);
    if (!headers.has('referrer-policy')) headers.set('referrer-policy', 'strict-origin-when-cross-origin');
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
    if (!headers.has('content-security-policy') && !headers.get('content-type')?.startsWith('text/html')) {
      headers.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    }
    const { route, clinic } = innerRoutes.get(c.req.raw) ?? { route: routePath(c), clinic: c.get('clinic') };
    const line: LogFields = { requestId, route, method: raw.method, status, ms: Date.now() - startedAt };
    if (typeof clinic === 'number') line.clinic = clinic;
    (deps?.log ?? consoleLog).info('request', line);
  };
  return (c, next) => {
    const request = handle(c, next);
    // A disconnect would cancel the request between two writes. Login and logout are GET requests that write.
    runToCompletion(c, request);
    return request;
  };
}
