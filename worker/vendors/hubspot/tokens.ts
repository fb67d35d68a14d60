import { parseJson } from '../http.ts';
import { type HubSpotHttp, paths } from './http.ts';
import { CrmError, type CrmTokens } from './port.ts';
import { ErrorReply, TokenReply } from './wire.ts';

/** Requests tokens for a code or a refresh token. Throws CrmError. */
export async function requestTokens(http: HubSpotHttp, form: Record<string, string>): Promise<CrmTokens> {
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
