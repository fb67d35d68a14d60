import { randomUUID } from 'node:crypto';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import type { Fault } from './faults.ts';
import { convertToXml } from './gateway/wire.ts';
import { CUT, type Party, partyOf } from './request-log.ts';
import type { SandboxEnv, World } from './world.ts';

const EDGE_PAGE =
  '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>edge</center></body></html>';

const jsonResponse = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

const htmlResponse = (status: number) => new Response(EDGE_PAGE, { status, headers: { 'content-type': 'text/html' } });

const gatewayError = (code: string, resultCode: string, message: string) => ({
  code,
  status: 'fail',
  'exchange-id': `ID-sandbox-${randomUUID()}`,
  payload: {
    payloadType: 'error',
    error: { 'error-message': message, 'result-code': resultCode, 'time-stamp': new Date().toISOString() },
  },
});

function serverError(party: Party | null): Response {
  if (party === 'gateway') return jsonResponse(500, gatewayError('500', '050', 'Internal error'));
  if (party === 'mail')
    return jsonResponse(500, {
      statusCode: 500,
      name: 'internal_server_error',
      message: 'An unexpected error occurred.',
    });
  return jsonResponse(500, { status: 'error', message: 'internal error', correlationId: randomUUID() });
}

function tooManyRequests(party: Party | null): Response {
  if (party === 'gateway')
    return jsonResponse(429, gatewayError('429', '050', 'Too many requests'), { 'retry-after': '1' });
  if (party === 'mail') {
    const body = {
      statusCode: 429,
      name: 'rate_limit_exceeded',
      message: 'Too many requests. You can only make 2 requests per second.',
    };
    return jsonResponse(429, body, { 'retry-after': '1' });
  }
  return jsonResponse(429, {
    status: 'error',
    message: 'You have reached your ten_secondly_rolling limit.',
    errorType: 'RATE_LIMIT',
    correlationId: randomUUID(),
    policyName: 'TEN_SECONDLY_ROLLING',
    requestId: randomUUID(),
  });
}

function expiredCredentials(party: Party | null, now: number): Response {
  if (party === 'gateway') return jsonResponse(401, gatewayError('401', '042', 'UNAUTHORIZED'));
  if (party === 'mail')
    return jsonResponse(401, { statusCode: 401, name: 'restricted_api_key', message: 'This API key has expired.' });
  return jsonResponse(401, {
    status: 'error',
    message: 'The OAuth token used to make this call expired 3 minute(s) ago.',
    correlationId: randomUUID(),
    category: 'EXPIRED_AUTHENTICATION',
    context: { 'expire time': [new Date(now - 180_000).toISOString()] },
  });
}

/** Cuts the connection, so that the caller receives nothing more, not even a status line. */
export function cutConnection(c: Context<SandboxEnv>): Response {
  c.env?.outgoing?.destroy();
  const headers = new Headers(c.env?.outgoing ? RESPONSE_ALREADY_SENT.headers : {});
  headers.set(CUT, '1');
  return new Response(null, { status: c.env?.outgoing ? 200 : 599, headers });
}

async function truncateBody(response: Response): Promise<Response> {
  const text = await response.text();
  return new Response(text.slice(0, Math.max(1, Math.floor(text.length / 2))), {
    status: response.status,
    headers: { 'content-type': 'application/json' },
  });
}

async function falsifyAmount(response: Response): Promise<Response> {
  const text = await response.text();
  const changedText = text.replace(
    /"amount":"(\d+)(\.\d\d)"/g,
    (_, whole: string, cents: string) => `"amount":"${Number(whole) + 1}${cents}"`,
  );
  return new Response(changedText, { status: response.status, headers: { 'content-type': 'application/json' } });
}

function redirectTo(fault: Fault, world: World, path: string): Response {
  const nextPortUrl = new URL(world.publicUrl);
  nextPortUrl.port = String(Number(nextPortUrl.port || 80) + 1);
  return new Response(null, { status: 302, headers: { location: new URL(path, fault.to ?? nextPortUrl).href } });
}

export type Pauses = { pause(ms: number): Promise<void>; stop(): void };

/** Creates pauses that end with the sandbox, so that no held request resumes on a closed database. */
export function createPauses(): Pauses {
  const timers = new Set<NodeJS.Timeout>();
  return {
    pause: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          timers.delete(timer);
          resolve();
        }, ms);
        timers.add(timer);
      }),
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

export function inflictFaults(world: World, pause: (ms: number) => Promise<void>): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const { path, method } = c.req;
    const party = partyOf(path);
    const fault = world.faults.take(method, path, c.get('account'));
    if (!fault) return next();
    switch (fault.do) {
      case 'drop-before':
        return cutConnection(c);
      case '500':
        return serverError(party);
      case 'html-502':
        return htmlResponse(502);
      case '429':
        return tooManyRequests(party);
      case '401-expired':
        return expiredCredentials(party, world.now());
      case 'redirect':
        return redirectTo(fault, world, path);
      case 'delay':
      case 'late':
        // Read the body first, so that the call is carried out even if the caller disconnects.
        await c.req.arrayBuffer();
        await pause(fault.ms);
        return next();
      default:
        await next();
    }
    const original = c.res;
    c.res = undefined;
    if (fault.do === 'drop-after') c.res = cutConnection(c);
    else if (fault.do === '500-after') c.res = serverError(party);
    else if (fault.do === 'html-after') c.res = htmlResponse(502);
    else if (fault.do === 'bad-json') c.res = await truncateBody(original);
    else if (fault.do === 'xml') c.res = await convertToXml(original);
    else c.res = await falsifyAmount(original);
  };
}
