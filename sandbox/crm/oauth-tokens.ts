import { randomBytes, randomUUID } from 'node:crypto';
import { crmApp, hubs, productScopes } from '../credentials.ts';
import type { World } from '../world.ts';

// [documented] Access tokens are valid for half an hour.
export const ACCESS_TOKEN_S = 1800;

/** Scopes that the app may request in addition to the required ones. */
export const optionalScopes = [
  'crm.objects.companies.write',
  'crm.objects.contacts.write',
  'crm.objects.invoices.write',
  'crm.objects.line_items.write',
  'crm.objects.commercepayments.read',
  'crm.objects.commercepayments.write',
];

export type RefreshTokenRow = { token: string; hub_id: number; user_id: number; scopes: string; revoked: number };

export const hubOf = (hubId: number) => hubs.find((hub) => hub.hubId === hubId);
export const userOf = (hubId: number, userId: number) => hubOf(hubId)?.users.find((user) => user.userId === userId);

/** Seeds the grants of `credentials.ts` and makes revoked ones valid again. */
export function seedGrants(world: World) {
  for (const hub of hubs) {
    const admin = hub.users[0]?.userId ?? 0;
    const scopes = {
      [hub.refreshToken]: [...productScopes],
      [hub.writerRefreshToken]: [...productScopes, ...optionalScopes],
    };
    for (const [token, grantedScopes] of Object.entries(scopes)) {
      world.store.run(
        'INSERT OR REPLACE INTO refresh_tokens (token, hub_id, user_id, scopes) VALUES (?, ?, ?, ?)',
        token,
        hub.hubId,
        admin,
        grantedScopes.join(' '),
      );
    }
  }
}

export function findRefreshToken(world: World, token: string): RefreshTokenRow | undefined {
  return world.store.get<RefreshTokenRow>(
    'SELECT token, hub_id, user_id, scopes, revoked FROM refresh_tokens WHERE token = ? AND revoked = 0',
    token,
  );
}

export function issueRefreshToken(world: World, grant: { hub_id: number; user_id: number; scopes: string }): string {
  const token = `na1-${randomUUID()}`;
  world.store.run(
    'INSERT INTO refresh_tokens (token, hub_id, user_id, scopes) VALUES (?, ?, ?, ?)',
    token,
    grant.hub_id,
    grant.user_id,
    grant.scopes,
  );
  return token;
}

/** Ends only the grant. Issued access tokens stay valid, and the app stays installed. */
export function revokeRefreshToken(world: World, token: string) {
  world.store.run('UPDATE refresh_tokens SET revoked = 1 WHERE token = ?', token);
}

export function issueAccessToken(world: World, grant: { hub_id: number; user_id: number; scopes: string }): string {
  const token = `CK${randomBytes(48).toString('base64url')}`;
  const now = world.now();
  world.store.run('DELETE FROM access_tokens WHERE expires_ms < ?', now - 24 * 3_600_000);
  world.store.run(
    'INSERT INTO access_tokens (token, hub_id, user_id, scopes, expires_ms) VALUES (?, ?, ?, ?, ?)',
    token,
    grant.hub_id,
    grant.user_id,
    grant.scopes,
    now + ACCESS_TOKEN_S * 1000,
  );
  return token;
}

/** The fields that every version of introspection shows, in the order of HubSpot's sample. */
export function describeAccessToken(
  world: World,
  token: string,
  row: { hub_id: number; user_id: number; scopes: string; expires_ms: number },
) {
  const scopes = row.scopes.split(' ');
  return {
    token,
    user: userOf(row.hub_id, row.user_id)?.email,
    hub_domain: hubOf(row.hub_id)?.domain,
    scopes,
    signed_access_token: {
      expiresAt: row.expires_ms,
      scopes: 'AAEAAQ==',
      hubId: row.hub_id,
      userId: row.user_id,
      appId: crmApp.appId,
      signature: 'simulated',
      scopeToScopeGroupPks: '',
      newSignature: 'simulated',
      hublet: 'na1',
      trialScopes: '',
      trialScopeToScopeGroupPks: '',
      isUserLevel: false,
      isPrivateDistribution: false,
    },
    hub_id: row.hub_id,
    app_id: crmApp.appId,
    expires_in: Math.max(0, Math.floor((row.expires_ms - world.now()) / 1000)),
    user_id: row.user_id,
  };
}
