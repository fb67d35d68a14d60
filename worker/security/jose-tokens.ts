import { errors, jwtVerify, SignJWT } from 'jose';
import type { SignedTokens } from './token-claims.ts';

const ALGORITHM = 'HS256';
const OWN = new Set(['jti', 'sub', 'aud', 'iat', 'exp']);

/** The tokens of `createSignedTokens`. */
export function joseTokens(keyRing: string, audience: string, lifeMs: number): SignedTokens {
  const keys = new Map(
    keyRing.split(',').map((pair): [string, Uint8Array] => {
      const [id = '', secret = ''] = pair.split(':');
      return [id, Uint8Array.from(atob(secret), (char) => char.charCodeAt(0))];
    }),
  );
  const newest = keyRing.slice(0, keyRing.indexOf(':'));
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
        .setExpirationTime(Math.floor((now + lifeMs) / 1000))
        .sign(key);
    },

    async read(token, now) {
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
        return {
          id: jti,
          subject: sub,
          endsAt: exp * 1000,
          more: Object.fromEntries(Object.entries(payload).filter(([name]) => !OWN.has(name))),
        };
      } catch (cause) {
        if (cause instanceof errors.JOSEError) return null;
        throw cause;
      }
    },
  };
}
