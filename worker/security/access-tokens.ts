import { createSignedTokens } from './signed-tokens.ts';

/** Claims of an access token, with the id of its session row. The token is useless once that row is revoked. */
export type AccessClaims = { sessionId: string; accountId: number; userId: number };

export type AccessTokens = {
  issue(claims: AccessClaims, now: number): Promise<string>;
  /** Null for a token that is not ours or has expired. */
  read(token: string, now: number): Promise<AccessClaims | null>;
};

/** Short-lived signed tokens for merchants. */
export function createAccessTokens(keyRing: string, lifeMs: number): AccessTokens {
  const tokens = createSignedTokens(keyRing, 'tillway-merchant', lifeMs);
  return {
    issue: ({ sessionId, accountId, userId }, now) =>
      tokens.issue({ id: sessionId, subject: String(userId), more: { hub: accountId } }, now),

    async read(token, now) {
      const claims = await tokens.read(token, now);
      const hub = claims?.more.hub;
      return claims && typeof hub === 'number'
        ? { sessionId: claims.id, accountId: hub, userId: Number(claims.subject) }
        : null;
    },
  };
}
