import { createSignedTokens } from './signed-tokens.ts';

/**
 * Claims of an access token, with the id of its session row and the clinic that has it. The token is useless once that
 * row is revoked.
 */
export type AccessClaims = { sessionId: string; clinic: number; accountId: number; userId: number };

export type AccessTokens = {
  issue(claims: AccessClaims, now: number): Promise<string>;
  /** Null for a token that is not ours or has expired. */
  read(token: string, now: number): Promise<AccessClaims | null>;
};

/** Short-lived signed tokens for merchants. */
export function createAccessTokens(keyRing: string, lifeMs: number): AccessTokens {
  const tokens = createSignedTokens(keyRing, 'tillway-merchant', lifeMs);
  return {
    issue: ({ sessionId, clinic, accountId, userId }, now) =>
      tokens.issue({ id: sessionId, subject: String(userId), more: { account: accountId, clinic } }, now),

    async read(token, now) {
      const claims = await tokens.read(token, now);
      if (!claims) return null;
      const { account, clinic } = claims.more;
      return typeof account === 'number' && typeof clinic === 'number'
        ? { sessionId: claims.id, clinic, accountId: account, userId: Number(claims.subject) }
        : null;
    },
  };
}
