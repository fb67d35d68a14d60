import type * as z from 'zod/mini';
import { CrmError } from '../../ports.ts';
import { callVendor, type HttpReply, parseJson } from '../http.ts';
import { ErrorReply } from './wire.ts';

/** HubSpot's dated API version; each one lives 18 months. The only place that names it. */
const VERSION = '2026-09';

export type HubSpotHttpOptions = { baseUrl: string; clientId: string; clientSecret: string; timeoutMs: number };

export type ObjectKind = 'invoices' | 'contacts' | 'companies' | 'line_items';

export const paths = {
  object: (kind: ObjectKind, id: string) => `/crm/objects/${VERSION}/${kind}/${encodeURIComponent(id)}`,
  batchRead: (kind: ObjectKind) => `/crm/objects/${VERSION}/${kind}/batch/read`,
  /** Associations are read in batches only: the one form that every API version serves. */
  associations: (from: ObjectKind, to: ObjectKind) => `/crm/associations/${VERSION}/${from}/${to}/batch/read`,
  account: `/account-info/${VERSION}/details`,
  token: `/oauth/${VERSION}/token`,
  introspect: `/oauth/${VERSION}/token/introspect`,
};

/** What every call of HubSpot shares: who we are, how trouble is told apart, and what may be believed. */
export type HubSpotHttp = {
  /** GET, or POST of `body`. Null: the CRM itself says that it has no such record. Throws CrmError. */
  read<T>(schema: z.ZodMiniType<T>, token: string, path: string, body?: unknown): Promise<T | null>;
  /** POST of a form in the name of our app. Throws CrmError only when no answer came. */
  postForm(path: string, form: Record<string, string>): Promise<HttpReply>;
};

export function createHubSpotHttp({ baseUrl, clientId, clientSecret, timeoutMs }: HubSpotHttpOptions): HubSpotHttp {
  /** One call with at most one more try when the CRM says it is busy; a payer is waiting, so the pause is short. */
  async function call(path: string, init: RequestInit): Promise<HttpReply> {
    const attempt = () =>
      callVendor(`${baseUrl}${path}`, init, timeoutMs).catch((cause: unknown) => {
        throw new CrmError('unavailable', `${path.split('?')[0]}: ${String(cause)}`);
      });
    const reply = await attempt();
    if (reply.status !== 429 && reply.status < 500) return reply;
    const pauseMs = Math.min((reply.retryAfterS ?? 0.3) * 1000, 2000) + Math.random() * 200;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return attempt();
  }

  return {
    async read(schema, token, path, body) {
      const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
      const reply = await call(
        path,
        body === undefined
          ? { headers }
          : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) },
      );
      return recordOf(schema, reply);
    },

    postForm: (path, form) =>
      call(path, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret }).toString(),
      }),
  };
}

function recordOf<T>(schema: z.ZodMiniType<T>, reply: HttpReply): T | null {
  const json = parseJson(reply.text);
  if (reply.status === 404) {
    // Only the CRM's own words mean that the record is not there; anything else may be a proxy.
    if (ErrorReply.safeParse(json).data?.category === 'OBJECT_NOT_FOUND') return null;
    throw new CrmError('unavailable', 'an unexpected 404');
  }
  if (reply.status === 401) throw new CrmError('expired', 'the access token was refused');
  if (reply.status === 403) throw new CrmError('missing-scopes', 'a scope is missing');
  if (reply.status !== 200 && reply.status !== 207) throw new CrmError('unavailable', `HTTP ${reply.status}`);
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new CrmError('unavailable', 'an answer that cannot be read');
  return parsed.data;
}
