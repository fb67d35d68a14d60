import type * as z from 'zod/mini';
import { callVendor, type HttpReply, parseJson } from '../http.ts';
import { CrmError, type CrmKind, type CrmLimit } from './port.ts';
import { ErrorReply } from './wire.ts';

/** HubSpot's dated API version, supported for 18 months. */
const VERSION = '2026-09';
/** The previous version, which documents all fields of a token introspection; the newest documents only one. */
const DOCUMENTED_VERSION = '2026-03';

export type HubSpotHttpOptions = { baseUrl: string; clientId: string; clientSecret: string; timeoutMs: number };

export type ObjectKind = CrmKind | 'line_items' | 'commerce_payments';

export const paths = {
  objects: (kind: ObjectKind) => `/crm/objects/${VERSION}/${kind}`,
  object: (kind: ObjectKind, id: string) => `/crm/objects/${VERSION}/${kind}/${encodeURIComponent(id)}`,
  search: (kind: ObjectKind) => `/crm/objects/${VERSION}/${kind}/search`,
  batchRead: (kind: ObjectKind) => `/crm/objects/${VERSION}/${kind}/batch/read`,
  /** Associations are read in batches, the only form that every API version serves. */
  associations: (from: ObjectKind, to: ObjectKind) => `/crm/associations/${VERSION}/${from}/${to}/batch/read`,
  account: `/account-info/${VERSION}/details`,
  token: `/oauth/${VERSION}/token`,
  introspect: `/oauth/${VERSION}/token/introspect`,
  introspectDocumented: `/oauth/${DOCUMENTED_VERSION}/token/introspect`,
};

/** The calls that all HubSpot requests share, with authentication, errors and validation. */
export type HubSpotHttp = {
  /**
   * GET, or POST of `body`, with one retry if the CRM is busy, because a person is waiting. Null if the CRM itself
   * reports that the record does not exist. Throws CrmError.
   */
  read<T>(schema: z.ZodMiniType<T>, token: string, path: string, body?: unknown): Promise<T | null>;
  /** Like read(), without a retry, for many records at once. Throws CrmError with the retry delay. */
  readMany<T>(
    schema: z.ZodMiniType<T>,
    token: string,
    path: string,
    body?: unknown,
  ): Promise<{ page: T; limit: CrmLimit | null }>;
  /** Makes one call that writes. Null if no complete response arrived, so the write may have succeeded. */
  send(method: 'POST' | 'PATCH', token: string, path: string, body: object): Promise<HttpReply | null>;
  /** POST of a form with our app's credentials. Throws CrmError only if no response arrived. */
  postForm(path: string, form: Record<string, string>): Promise<HttpReply>;
};

/** The maximum response size (bytes) for a page of a hundred records with long texts. */
const MANY_MAX_BYTES = 8_000_000;

export function createHubSpotHttp({ baseUrl, clientId, clientSecret, timeoutMs }: HubSpotHttpOptions): HubSpotHttp {
  const callOnce = (path: string, init: RequestInit, maxBytes?: number): Promise<HttpReply> =>
    callVendor(`${baseUrl}${path}`, init, timeoutMs, maxBytes).catch((cause: unknown) => {
      throw new CrmError('unavailable', `${path.split('?')[0]}: ${String(cause)}`);
    });

  /** Retries once after a short pause, because a person is waiting. */
  async function call(path: string, init: RequestInit): Promise<HttpReply> {
    const reply = await callOnce(path, init);
    if (reply.status !== 429 && reply.status < 500) return reply;
    const pauseMs = Math.min((reply.retryAfterS ?? 0.3) * 1000, 2000) + Math.random() * 200;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return callOnce(path, init);
  }

  return {
    async read(schema, token, path, body) {
      const reply = await call(path, request(token, body));
      // Only the CRM's own error means that the record is missing; any other 404 may come from a proxy.
      if (reply.status === 404 && ErrorReply.safeParse(parseJson(reply.text)).data?.category === 'OBJECT_NOT_FOUND')
        return null;
      return parseReply(schema, reply);
    },

    async readMany(schema, token, path, body) {
      const reply = await callOnce(path, request(token, body), MANY_MAX_BYTES);
      return { page: parseReply(schema, reply), limit: limitOf(reply.headers) };
    },

    send: (method, token, path, body) =>
      callOnce(path, { ...request(token, body), method }).catch((cause: unknown) => {
        if (cause instanceof CrmError) return null;
        throw cause;
      }),

    postForm: (path, form) =>
      call(path, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret }).toString(),
      }),
  };
}

function request(token: string, body: unknown): RequestInit {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  if (body === undefined) return { headers };
  return {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

function parseReply<T>(schema: z.ZodMiniType<T>, reply: HttpReply): T {
  if (reply.status === 401) throw new CrmError('expired', 'the access token was refused');
  if (reply.status === 403) throw new CrmError('missing-scopes', 'a scope is missing');
  if (reply.status !== 200 && reply.status !== 207)
    throw new CrmError('unavailable', `HTTP ${reply.status}`, retryAfterMs(reply));
  const parsed = schema.safeParse(parseJson(reply.text));
  if (!parsed.success) throw new CrmError('unavailable', 'an answer that cannot be read');
  return parsed.data;
}

const HOUR_MS = 3_600_000;
/** The period of each HubSpot rate limit (ms), because a 429 names the limit but seldom the delay. */
const POLICY_MS: Record<string, number> = { TEN_SECONDLY_ROLLING: 10_000, SECONDLY: 1000, DAILY: HOUR_MS };

/** The delay before a retry (ms), with jitter so that calls refused together are not retried together. */
export function retryAfterMs(reply: HttpReply): number | null {
  const headerMs = reply.retryAfterS === null ? null : Math.min(reply.retryAfterS * 1000, 24 * HOUR_MS);
  const defaultMs = () => {
    if (reply.status === 429)
      return POLICY_MS[ErrorReply.safeParse(parseJson(reply.text)).data?.policyName ?? ''] ?? 10_000;
    // 477: the account is moving to another data center, and the header gives the delay. 423: HubSpot recommends two
    // seconds after a locked record.
    if (reply.status === 477) return HOUR_MS;
    return reply.status === 423 ? 2000 : null;
  };
  const ms = headerMs ?? defaultMs();
  return ms === null ? null : Math.round(ms * (1 + Math.random() * 0.1));
}

function limitOf(headers: Headers): CrmLimit | null {
  const headerNumber = (name: string) => {
    const text = headers.get(`x-hubspot-ratelimit-${name}`);
    return text !== null && /^\d+$/.test(text) ? Number(text) : null;
  };
  const [max, remaining, windowMs] = [
    headerNumber('max'),
    headerNumber('remaining'),
    headerNumber('interval-milliseconds'),
  ];
  return max === null || max === 0 || remaining === null ? null : { max, remaining, windowMs: windowMs ?? 10_000 };
}
