import { errors, jwtVerify, SignJWT } from 'jose';

/** The claims of a signed token. `more`: further claims, by name. */
export type Claims = { id: string; subject: string; endsAt: number; more: Record<string, unknown> };

export type SignedTokens = {
  issue(
    claims: Pick<Claims, 'id' | 'subject'> & { more?: Record<string, string | number> },
    now: number,
  ): Promise<string>;
  /** Returns null if the token is not ours, is of another kind or has expired. */
  read(token: string, now: number): Promise<Claims | null>;
};

const ALGORITHM = 'HS256';
const REGISTERED_CLAIMS = new Set(['jti', 'sub', 'aud', 'iat', 'exp']);
/** An isolate caches the claims of this many tokens, because verifying a token costs as much as reading a list. */
const MAX_CACHED = 1000;

/**
 * The longest lifetime of a signed token (ms), apart from ACCESS_TOKEN_MS. A signing key must be kept for that long.
 */
export const LONGEST_TOKEN_MS = 180 * 86_400_000;
/** Maximum length of a token (characters); longer ones are rejected. */
const MAX_TOKEN_LENGTH = 2000;

/**
 * Creates short-lived signed tokens of one kind. Kinds are distinguished by their audience, so a token of one kind is
 * invalid for another. The key ring is `id:base64,…`; the first key signs, and all keys verify.
 */
export function createSignedTokens(keyRing: string, audience: string, lifetimeMs: number): SignedTokens {
  const keys = new Map(
    keyRing.split(',').map((pair): [string, Uint8Array] => {
      const [id = '', secret = ''] = pair.split(':');
      return [id, Uint8Array.from(atob(secret), (char) => char.charCodeAt(0))];
    }),
  );
  const newest = keyRing.slice(0, keyRing.indexOf(':'));
  const cache = new Map<string, Claims>();
  return {
    issue({ id, subject, more = {} }, now) {
      const key = keys.get(newest);
      if (!key) throw new Error('SESSION_KEYS holds no key');
      return new SignJWT(more)
        .setProtectedHeader({ alg: ALGORITHM, kid: newest })
        .setJti(id)
        .setSubject(subject)
        .setAudience(audience)
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor((now + lifetimeMs) / 1000))
        .sign(key);
    },

    async read(token, now) {
      if (token.length > MAX_TOKEN_LENGTH) return null;
      const cached = cache.get(token);
      if (cached) return cached.endsAt > now ? cached : null;
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid = '' }) => {
            const key = keys.get(kid);
            if (!key) throw new errors.JWKSNoMatchingKey();
            return key;
          },
          { algorithms: [ALGORITHM], audience, currentDate: new Date(now), requiredClaims: ['exp', 'jti', 'sub'] },
        );
        const { jti = '', sub = '', exp = 0 } = payload;
        const more = Object.fromEntries(Object.entries(payload).filter(([name]) => !REGISTERED_CLAIMS.has(name)));
        const claims = { id: jti, subject: sub, endsAt: exp * 1000, more };
        if (cache.size >= MAX_CACHED) cache.clear();
        cache.set(token, claims);
        return claims;
      } catch (cause) {
        if (cause instanceof errors.JOSEError) return null;
        throw cause;
      }
    },
  };
}

/**
 * Claims of an access token, with the id of its session row and the clinic that stores the row. The token is invalid
 * once that row is revoked.
 */
export type AccessClaims = { sessionId: string; clinic: number; accountId: number; userId: number };

export type AccessTokens = {
  issue(claims: AccessClaims, now: number): Promise<string>;
  /** Returns null if the token is not ours or has expired. */
  read(token: string, now: number): Promise<AccessClaims | null>;
};

/** Creates short-lived signed tokens for merchants. */
export function createAccessTokens(keyRing: string, lifetimeMs: number): AccessTokens {
  const tokens = createSignedTokens(keyRing, 'tillway-merchant', lifetimeMs);
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
