import { parseJson } from '../http.ts';
import { type HubSpotHttp, paths } from './http.ts';
import { CrmError, type CrmGrant, type CrmTokens } from './port.ts';
import { AccountDetails, ErrorReply, Introspection, LiveToken, TokenReply } from './wire.ts';

/** Exchanges a code or a refresh token for tokens. Throws CrmError. */
export async function requestTokens(http: HubSpotHttp, form: Record<string, string>): Promise<CrmTokens> {
  const reply = await http.postForm(paths.token, form);
  const json = parseJson(reply.text);
  const refusal = ErrorReply.safeParse(json).data;
  const isRevoked = refusal?.error === 'invalid_grant' || /^BAD_(REFRESH_TOKEN|AUTH_CODE)$/.test(refusal?.status ?? '');
  if (reply.status === 400 && isRevoked) throw new CrmError('revoked', 'the grant is gone');
  const parsed = TokenReply.safeParse(json);
  if (reply.status !== 200 || !parsed.success) throw new CrmError('unavailable', `token answer ${reply.status}`);
  const { access_token, refresh_token, expires_in, scopes } = parsed.data;
  return { accessToken: access_token, refreshToken: refresh_token, expiresInS: expires_in, scopes };
}

/** Scopes that we request, in the order of the consent page. */
export const SCOPES = [
  'oauth',
  'crm.objects.companies.read',
  'crm.objects.contacts.read',
  'crm.objects.invoices.read',
  'e-commerce',
  'crm.objects.line_items.read',
  'crm.schemas.line_items.read',
];

export type HubSpotOauthOptions = {
  authorizeBase: string;
  clientId: string;
  /** Scopes that a login may request in addition to the required ones, separated by spaces. */
  optionalScopes?: string;
  /** Our URL to which the consent page redirects; registered in the CRM app. */
  redirectUri: string;
};

/** Returns the URL of the consent page on which staff connect an account. */
export async function authorizeUrl(
  { authorizeBase, clientId, redirectUri, optionalScopes = '' }: HubSpotOauthOptions,
  { state, verifier, mayWrite }: { state: string; verifier: string; mayWrite?: boolean },
): Promise<string> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: SCOPES.join(' '),
    ...(mayWrite && optionalScopes !== '' && { optional_scope: optionalScopes }),
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
  });
  return `${authorizeBase}/oauth/authorize?${query.toString().replaceAll('+', '%20')}`;
}

/** Exchanges a code for a grant with its account and user. Throws CrmError. */
export async function exchangeCode(
  http: HubSpotHttp,
  { redirectUri }: HubSpotOauthOptions,
  code: string,
  verifier: string,
): Promise<CrmGrant> {
  const tokens = await requestTokens(http, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  const [owner, account] = await Promise.all([
    ownerOf(http, tokens.accessToken),
    http.read(AccountDetails, tokens.accessToken, paths.account),
  ]);
  const { hub_id, hub_domain, user_id, user: email, scopes } = owner;
  if (SCOPES.some((scope) => !scopes.includes(scope))) throw new CrmError('missing-scopes', 'not all were granted');
  return {
    accountId: hub_id,
    accountDomain: hub_domain,
    userId: user_id,
    email,
    timeZone: account?.timeZone ?? 'UTC',
    tokens: { ...tokens, scopes },
  };
}

/** Returns the owner of a token. Falls back to the previous API version if the newest returns too few fields. */
async function ownerOf(http: HubSpotHttp, accessToken: string): Promise<Introspection> {
  let status = 0;
  for (const path of [paths.introspect, paths.introspectDocumented]) {
    const reply = await http.postForm(path, { token: accessToken, token_type_hint: 'access_token' });
    status = reply.status;
    const json = parseJson(reply.text);
    const owner = Introspection.safeParse(json);
    if (status === 200 && owner.success && owner.data.active) return owner.data;
    if (status !== 200 || !LiveToken.safeParse(json).success) break;
  }
  throw new CrmError('unavailable', `introspection answer ${status}`);
}

/** The PKCE code challenge (RFC 7636, S256). */
async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
