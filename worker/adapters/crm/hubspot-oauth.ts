import { CrmError, type CrmGrant, type CrmTokens } from '../../ports/crm.ts';
import { parseJson } from '../http.ts';
import { type HubSpotHttp, paths } from './hubspot-http.ts';
import { AccountDetails, ErrorReply, Introspection, LiveToken, TokenReply } from './wire.ts';

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

export type HubSpotOauthOptions = {
  authorizeBase: string;
  clientId: string;
  /** Our own address that the consent page returns to; registered with the CRM's app. */
  redirectUri: string;
};

/** How an account is connected, and how the connection lives on. */
export function hubSpotOauth(http: HubSpotHttp, { authorizeBase, clientId, redirectUri }: HubSpotOauthOptions) {
  async function requestTokens(form: Record<string, string>): Promise<CrmTokens> {
    const reply = await http.postForm(paths.token, form);
    const json = parseJson(reply.text);
    const refusal = ErrorReply.safeParse(json).data;
    const isGone = refusal?.error === 'invalid_grant' || /^BAD_(REFRESH_TOKEN|AUTH_CODE)$/.test(refusal?.status ?? '');
    if (reply.status === 400 && isGone) throw new CrmError('revoked', 'the grant is gone');
    const parsed = TokenReply.safeParse(json);
    if (reply.status !== 200 || !parsed.success) throw new CrmError('unavailable', `token answer ${reply.status}`);
    const { access_token, refresh_token, expires_in, scopes } = parsed.data;
    return { accessToken: access_token, refreshToken: refresh_token, expiresInS: expires_in, scopes };
  }

  /** Whose token it is. What the newest version leaves out, the one before is asked for. */
  async function ownerOf(accessToken: string): Promise<Introspection> {
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

  return {
    refreshTokens: (refreshToken: string) =>
      requestTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }),

    async authorizeUrl({ state, verifier }: { state: string; verifier: string }): Promise<string> {
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

    async exchangeCode(code: string, verifier: string): Promise<CrmGrant> {
      const tokens = await requestTokens({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      });
      const [owner, account] = await Promise.all([
        ownerOf(tokens.accessToken),
        http.read(AccountDetails, tokens.accessToken, paths.account),
      ]);
      const { hub_id, hub_domain, user_id, user: email, scopes } = owner;
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
}

/** RFC 7636, S256. */
async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
