import { errors, jwtVerify, SignJWT } from 'jose';

/** What an access token says: which session row stands behind it. It opens nothing once that row is revoked. */
export type AccessClaims = { sessionId: string; hubId: number; userId: number };

export type AccessTokens = {
  issue(claims: AccessClaims, now: number): Promise<string>;
  /** Null for anything that is not a token of ours, or not any more. */
  read(token: string, now: number): Promise<AccessClaims | null>;
};

const AUDIENCE = 'tillway-merchant';
const ALGORITHM = 'HS256';

/** Short-lived signed tokens for merchants; the key ring is `id:base64,…`, the first key signs and all verify. */
export function createAccessTokens(keyRing: string, lifeMs: number): AccessTokens {
  const keys = new Map(
    keyRing.split(',').map((pair): [string, Uint8Array] => {
      const [id = '', secret = ''] = pair.split(':');
      return [id, Uint8Array.from(atob(secret), (char) => char.charCodeAt(0))];
    }),
  );
  const newest = keyRing.slice(0, keyRing.indexOf(':'));
  return {
    issue({ sessionId, hubId, userId }, now) {
      const key = keys.get(newest);
      if (!key) throw new Error('SESSION_KEYS holds no key');
      return new SignJWT({ hub: hubId })
        .setProtectedHeader({ alg: ALGORITHM, kid: newest })
        .setJti(sessionId)
        .setSubject(String(userId))
        .setAudience(AUDIENCE)
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor((now + lifeMs) / 1000))
        .sign(key);
    },

    async read(token, now) {
      if (token.length > 2000) return null;
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid = '' }) => {
            const key = keys.get(kid);
            if (!key) throw new errors.JWKSNoMatchingKey();
            return key;
          },
          {
            algorithms: [ALGORITHM],
            audience: AUDIENCE,
            currentDate: new Date(now),
            requiredClaims: ['exp', 'jti', 'sub'],
          },
        );
        const { jti = '', sub = '', hub } = payload;
        return typeof hub === 'number' ? { sessionId: jti, hubId: hub, userId: Number(sub) } : null;
      } catch (cause) {
        if (cause instanceof errors.JOSEError) return null;
        throw cause;
      }
    },
  };
}
