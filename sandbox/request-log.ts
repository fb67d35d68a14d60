import type { MiddlewareHandler } from 'hono';

/** A simulated party. Faults and the request log derive it from the path. */
export type Party = 'crm' | 'gateway' | 'mail';

const CRM = /^\/(?:crm|account-info|appinstalls)\/|^\/oauth\/(?:v1|v3|20\d\d-\d\d)\//;
const GATEWAY = /^\/rest\/v[12]\/|^\/api\/launchIntegratorSetup\//;

export function partyOf(path: string): Party | null {
  if (CRM.test(path)) return 'crm';
  if (GATEWAY.test(path)) return 'gateway';
  if (/^\/(?:emails(?:\/|$)|webhooks$)/.test(path)) return 'mail';
  return null;
}

export const isWireApi = (path: string) => partyOf(path) !== null;

/** True for the calls from the payer's browser; the product's server makes all other calls to the gateway. */
export const isBrowserTokenCall = (path: string) => path.startsWith('/rest/v2/mobilejwt');
export const isTerminalCall = (path: string) => path.startsWith('/rest/v2/terminal/');

export type LoggedRequest = { at: string; method: string; path: string; status: number };
export type RequestLog = ReturnType<typeof createRequestLog>;

const MAX_ENTRIES = 50_000;

/** Shortens two old CRM paths that contain secrets. Headers and bodies contain secrets too and are not stored. */
const withoutSecrets = (path: string) => path.replace(/^(\/oauth\/v1\/(?:access|refresh)-tokens\/).+/, '$1…');

export function createRequestLog() {
  let entries: LoggedRequest[] = [];
  return {
    /** A connection that was cut before a response has status 0. */
    add(at: number, method: string, path: string, status: number) {
      entries.push({ at: new Date(at).toISOString(), method, path: withoutSecrets(path), status });
      if (entries.length > MAX_ENTRIES * 1.2) entries = entries.slice(-MAX_ENTRIES);
    },
    listSince(ms: number) {
      return entries.filter((entry) => Date.parse(entry.at) >= ms);
    },
    clear() {
      entries = [];
    },
  };
}

export const CUT = 'x-sandbox-cut';

export function logRequests(log: RequestLog): MiddlewareHandler {
  return async (c, next) => {
    const startedAt = Date.now();
    await next();
    if (isWireApi(c.req.path)) log.add(startedAt, c.req.method, c.req.path, c.res.headers.has(CUT) ? 0 : c.res.status);
  };
}
