import { jsonAnswer } from '../answers.ts';
import type { VendorWorld, WireAnswer } from '../vendor.ts';
import { oauthRefusal } from './problems.ts';

export const ACCESS_TOKEN_S = 1800;

export type CrmApp = { clientId: string; clientSecret: string };

type Refresh = { accountId: number; isRevoked: boolean };
type Access = { accountId: number; expiresAt: number };

/** A call to the token endpoint with its refresh token. */
export type Renewal = { at: number; accountId: number; refreshToken: string };

/**
 * Grants of accounts. A token gives access to the whole account, regardless of the person who installed the app. In a
 * rotating account, a refresh revokes the old refresh token; access tokens stay valid until they expire.
 */
export function createTokens(world: VendorWorld, app: CrmApp) {
  const refreshTokens = new Map<string, Refresh>();
  const accessTokens = new Map<string, Access>();
  const rotating = new Set<number>();
  /** Additional scopes granted by an account's staff. */
  const extraScopes = new Map<number, string[]>();
  /** Calls that were answered with new tokens. */
  const renewals: Renewal[] = [];
  const revokedUses: Renewal[] = [];
  let issuedCount = 0;

  const newToken = (kind: string, accountId: number) => {
    issuedCount += 1;
    return `${kind}-${accountId}-${issuedCount}-${Math.floor(world.random() * 1e9).toString(36)}`;
  };

  function issueAccess(accountId: number): string {
    const token = newToken('access', accountId);
    accessTokens.set(token, { accountId, expiresAt: world.now() + ACCESS_TOKEN_S * 1000 });
    return token;
  }

  function issueRefresh(accountId: number): string {
    const token = newToken('refresh', accountId);
    refreshTokens.set(token, { accountId, isRevoked: false });
    return token;
  }

  function endGrant(accountId: number) {
    for (const token of refreshTokens.values()) if (token.accountId === accountId) token.isRevoked = true;
    for (const [token, access] of accessTokens) if (access.accountId === accountId) accessTokens.delete(token);
  }

  return {
    renewals,
    /** Calls with a refresh token that a renewal had revoked. */
    revokedUses,
    /** Staff consent: returns the tokens for the product. */
    connect(accountId: number, { rotates = false } = {}) {
      if (rotates) rotating.add(accountId);
      else rotating.delete(accountId);
      return {
        accessToken: issueAccess(accountId),
        refreshToken: issueRefresh(accountId),
        expiresInS: ACCESS_TOKEN_S,
      };
    },
    grant: (accountId: number, scopes: string[]) => void extraScopes.set(accountId, scopes),
    /** Staff uninstall the app. */
    disconnect: endGrant,
    findAccess: (token: string): Access | undefined => accessTokens.get(token),

    redeem(body: string): WireAnswer {
      const form = new URLSearchParams(body);
      if (form.get('client_id') !== app.clientId || form.get('client_secret') !== app.clientSecret)
        return oauthRefusal('invalid_client', 'BAD_CLIENT_SECRET', 'missing or invalid client secret');
      if (form.get('grant_type') !== 'refresh_token')
        return oauthRefusal('unsupported_grant_type', 'BAD_GRANT_TYPE', 'missing or unknown grant type');
      const refreshToken = form.get('refresh_token') ?? '';
      const refresh = refreshTokens.get(refreshToken);
      if (refresh?.isRevoked) revokedUses.push({ at: world.now(), accountId: refresh.accountId, refreshToken });
      if (!refresh || refresh.isRevoked)
        return oauthRefusal('invalid_grant', 'BAD_REFRESH_TOKEN', 'missing or invalid refresh token');
      const { accountId } = refresh;
      const isRotating = rotating.has(accountId);
      if (isRotating) refresh.isRevoked = true;
      renewals.push({ at: world.now(), accountId, refreshToken });
      return jsonAnswer(200, {
        token_type: 'bearer',
        refresh_token: isRotating ? issueRefresh(accountId) : refreshToken,
        access_token: issueAccess(accountId),
        expires_in: ACCESS_TOKEN_S,
        hub_id: accountId,
        scopes: [
          'oauth',
          'crm.objects.invoices.read',
          'crm.objects.contacts.read',
          'crm.objects.companies.read',
          ...(extraScopes.get(accountId) ?? []),
        ],
        token_use: 'access_token',
      });
    },
  };
}
