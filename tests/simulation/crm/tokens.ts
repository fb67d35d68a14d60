import { jsonAnswer } from '../answers.ts';
import type { VendorWorld, WireAnswer } from '../vendor.ts';
import { oauthRefusal } from './problems.ts';

export const ACCESS_TOKEN_S = 1800;

export type CrmApp = { clientId: string; clientSecret: string };

type Refresh = { accountId: number; isDead: boolean };
type Access = { accountId: number; expiresAt: number };

/** A call to the token endpoint, with the refresh token that it brought. */
export type Renewal = { at: number; accountId: number; refreshToken: string };

/**
 * Grants of accounts. A token opens the whole account, whoever installed the app. A refresh that rotates ends the old
 * refresh token with its answer; access tokens live on to their own end.
 */
export function createTokens(world: VendorWorld, app: CrmApp) {
  const refreshTokens = new Map<string, Refresh>();
  const accessTokens = new Map<string, Access>();
  const rotating = new Set<number>();
  /** Scopes that an account's staff have granted besides. */
  const extra = new Map<number, string[]>();
  /** Those that were answered with new tokens. */
  const renewals: Renewal[] = [];
  const spent: Renewal[] = [];
  let issued = 0;

  const fresh = (kind: string, accountId: number) => {
    issued += 1;
    return `${kind}-${accountId}-${issued}-${Math.floor(world.random() * 1e9).toString(36)}`;
  };

  function issueAccess(accountId: number): string {
    const token = fresh('access', accountId);
    accessTokens.set(token, { accountId, expiresAt: world.now() + ACCESS_TOKEN_S * 1000 });
    return token;
  }

  function issueRefresh(accountId: number): string {
    const token = fresh('refresh', accountId);
    refreshTokens.set(token, { accountId, isDead: false });
    return token;
  }

  function endGrant(accountId: number) {
    for (const token of refreshTokens.values()) if (token.accountId === accountId) token.isDead = true;
    for (const [token, access] of accessTokens) if (access.accountId === accountId) accessTokens.delete(token);
  }

  return {
    renewals,
    /** Calls with a refresh token that a renewal had ended. */
    spent,
    /** Staff consent: the tokens that the product holds from then on. */
    connect(accountId: number, { rotates = false } = {}) {
      if (rotates) rotating.add(accountId);
      else rotating.delete(accountId);
      return {
        accessToken: issueAccess(accountId),
        refreshToken: issueRefresh(accountId),
        expiresInS: ACCESS_TOKEN_S,
      };
    },
    grant: (accountId: number, scopes: string[]) => void extra.set(accountId, scopes),
    /** Staff uninstall the app. */
    disconnect: endGrant,
    findAccess: (token: string): Access | undefined => accessTokens.get(token),

    redeem(body: string): WireAnswer {
      const form = new URLSearchParams(body);
      if (form.get('client_id') !== app.clientId || form.get('client_secret') !== app.clientSecret)
        return oauthRefusal('invalid_client', 'BAD_CLIENT_SECRET', 'missing or invalid client secret');
      if (form.get('grant_type') !== 'refresh_token')
        return oauthRefusal('unsupported_grant_type', 'BAD_GRANT_TYPE', 'missing or unknown grant type');
      const given = form.get('refresh_token') ?? '';
      const known = refreshTokens.get(given);
      if (known?.isDead) spent.push({ at: world.now(), accountId: known.accountId, refreshToken: given });
      if (!known || known.isDead)
        return oauthRefusal('invalid_grant', 'BAD_REFRESH_TOKEN', 'missing or invalid refresh token');
      const { accountId } = known;
      const isRotating = rotating.has(accountId);
      if (isRotating) known.isDead = true;
      renewals.push({ at: world.now(), accountId, refreshToken: given });
      return jsonAnswer(200, {
        token_type: 'bearer',
        refresh_token: isRotating ? issueRefresh(accountId) : given,
        access_token: issueAccess(accountId),
        expires_in: ACCESS_TOKEN_S,
        hub_id: accountId,
        scopes: [
          'oauth',
          'crm.objects.invoices.read',
          'crm.objects.contacts.read',
          'crm.objects.companies.read',
          ...(extra.get(accountId) ?? []),
        ],
        token_use: 'access_token',
      });
    },
  };
}
