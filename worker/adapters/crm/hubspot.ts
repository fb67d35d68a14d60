import type * as z from 'zod/mini';
import { parseCents } from '#shared/money';
import { type Crm, CrmError, type CrmGrant, type CrmInvoice, type CrmTokens } from '../../ports.ts';
import { callVendor, type HttpReply, parseJson } from '../http.ts';
import { AccountDetails, Associations, CrmObject, CrmObjects, ErrorReply, Introspection, TokenReply } from './wire.ts';

/** HubSpot's dated API version; each one lives 18 months. The only place that names it. */
const VERSION = '2026-09';

const INVOICE_PROPERTIES = [
  'hs_number',
  'hs_invoice_status',
  'hs_currency',
  'hs_balance_due',
  'hs_amount_billed',
  'hs_due_date',
  'hs_recipient_company_address',
  'hs_recipient_company_city',
  'hs_recipient_company_state',
  'hs_recipient_company_zip',
];

/** What we ask of an account, in the order in which the consent page lists it. */
export const SCOPES = [
  'oauth',
  'crm.objects.companies.read',
  'crm.objects.contacts.read',
  'crm.objects.invoices.read',
  'e-commerce',
  'crm.objects.line_items.read',
  'crm.schemas.line_items.read',
];

export type HubSpotOptions = {
  baseUrl: string;
  authorizeBase: string;
  clientId: string;
  clientSecret: string;
  /** Our own address that the consent page returns to; registered with the CRM's app. */
  redirectUri: string;
  timeoutMs: number;
};

export function createHubSpot(options: HubSpotOptions): Crm {
  const { baseUrl, authorizeBase, clientId, clientSecret, redirectUri, timeoutMs } = options;

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

  async function read<T>(schema: z.ZodMiniType<T>, token: string, path: string, body?: unknown): Promise<T | null> {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    const reply = await call(
      path,
      body === undefined
        ? { headers }
        : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) },
    );
    const json = parseJson(reply.text);
    if (reply.status === 404) {
      // Only the CRM's own words mean that the record is not there; anything else may be a proxy.
      if (ErrorReply.safeParse(json).data?.category === 'OBJECT_NOT_FOUND') return null;
      throw new CrmError('unavailable', 'an unexpected 404');
    }
    if (reply.status === 401) throw new CrmError('expired', 'the access token was refused');
    if (reply.status === 403) throw new CrmError('missing-scopes', 'a scope is missing');
    const parsed = schema.safeParse(json);
    if (reply.status !== 200 && reply.status !== 207) throw new CrmError('unavailable', `HTTP ${reply.status}`);
    if (!parsed.success) throw new CrmError('unavailable', 'an answer that cannot be read');
    return parsed.data;
  }

  /** Associations are read in batches only: the one form that every API version serves. */
  async function firstLinked(token: string, invoiceId: string, to: 'contacts' | 'companies', wanted: string[]) {
    const links = await read(Associations, token, `/crm/associations/${VERSION}/invoices/${to}/batch/read`, {
      inputs: [{ id: invoiceId }],
    });
    const id = links?.results.find((link) => link.from.id === invoiceId)?.to[0]?.toObjectId;
    if (!id) return {};
    const found = await read(CrmObjects, token, `/crm/objects/${VERSION}/${to}/batch/read`, {
      inputs: [{ id }],
      properties: wanted,
      propertiesWithHistory: [],
    });
    return found?.results.find((object) => object.id === id)?.properties ?? {};
  }

  return {
    displayName: 'HubSpot',

    async getInvoice(token, invoiceId) {
      const query = new URLSearchParams({ properties: INVOICE_PROPERTIES.join(',') });
      const [invoice, contact, company] = await Promise.all([
        read(CrmObject, token, `/crm/objects/${VERSION}/invoices/${encodeURIComponent(invoiceId)}?${query}`),
        firstLinked(token, invoiceId, 'contacts', ['firstname', 'lastname', 'email']),
        firstLinked(token, invoiceId, 'companies', ['name', 'address', 'city', 'state', 'zip']),
      ]);
      return invoice && invoiceFromCrm(invoice, contact, company);
    },

    refreshTokens: (refreshToken) => requestTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }),

    async authorizeUrl({ state, verifier }) {
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: SCOPES.join(' '),
        state,
        code_challenge: await challengeOf(verifier),
        code_challenge_method: 'S256',
      });
      return `${authorizeBase}/oauth/authorize?${query.toString().replaceAll('+', '%20')}`;
    },

    async exchangeCode(code, verifier): Promise<CrmGrant> {
      const tokens = await requestTokens({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      });
      const [facts, account] = await Promise.all([
        postForm(`/oauth/${VERSION}/token/introspect`, { token: tokens.accessToken, token_type_hint: 'access_token' }),
        read(AccountDetails, tokens.accessToken, `/account-info/${VERSION}/details`),
      ]);
      const user = Introspection.safeParse(parseJson(facts.text));
      if (facts.status !== 200 || !user.success || !user.data.active) {
        throw new CrmError('unavailable', `introspection answer ${facts.status}`);
      }
      const { hub_id, hub_domain, user_id, user: email, scopes } = user.data;
      if (SCOPES.some((scope) => !scopes.includes(scope))) throw new CrmError('missing-scopes', 'not all were granted');
      return {
        hubId: hub_id,
        hubDomain: hub_domain,
        userId: user_id,
        email,
        timeZone: account?.timeZone ?? 'UTC',
        tokens: { ...tokens, scopes },
      };
    },
  };

  function postForm(path: string, form: Record<string, string>): Promise<HttpReply> {
    return call(path, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret }).toString(),
    });
  }

  async function requestTokens(form: Record<string, string>): Promise<CrmTokens> {
    const reply = await postForm(`/oauth/${VERSION}/token`, form);
    const json = parseJson(reply.text);
    const refusal = ErrorReply.safeParse(json).data;
    const isGone = refusal?.error === 'invalid_grant' || /^BAD_(REFRESH_TOKEN|AUTH_CODE)$/.test(refusal?.status ?? '');
    if (reply.status === 400 && isGone) throw new CrmError('revoked', 'the grant is gone');
    const parsed = TokenReply.safeParse(json);
    if (reply.status !== 200 || !parsed.success) throw new CrmError('unavailable', `token answer ${reply.status}`);
    const { access_token, refresh_token, expires_in, scopes } = parsed.data;
    return { accessToken: access_token, refreshToken: refresh_token, expiresInS: expires_in, scopes };
  }
}

/** RFC 7636, S256. */
async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

type Properties = Record<string, string | null | undefined>;

function invoiceFromCrm(invoice: z.output<typeof CrmObject>, contact: Properties, company: Properties): CrmInvoice {
  const own = invoice.properties;
  return {
    id: invoice.id,
    number: own.hs_number ?? '',
    status: own.hs_invoice_status ?? '',
    currency: own.hs_currency ?? '',
    balanceCents: parseCents(own.hs_balance_due),
    billedCents: parseCents(own.hs_amount_billed),
    dueDate: dateOf(own.hs_due_date),
    contact: {
      firstName: contact.firstname ?? '',
      lastName: contact.lastname ?? '',
      email: contact.email ?? '',
    },
    company: {
      name: company.name ?? '',
      address: company.address ?? own.hs_recipient_company_address ?? '',
      city: company.city ?? own.hs_recipient_company_city ?? '',
      state: company.state ?? own.hs_recipient_company_state ?? '',
      zip: company.zip ?? own.hs_recipient_company_zip ?? '',
    },
  };
}

/** The CRM writes due dates as ISO instants or epoch milliseconds; the day is the one it names in UTC. */
function dateOf(value: string | null | undefined): string | null {
  if (!value) return null;
  const date = new Date(/^\d+$/.test(value) ? Number(value) : value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}
