import type { SignedTokens } from './token-claims.ts';

/** The longest life of a signed token (ms), beside ACCESS_TOKEN_MS: the key that signed it must stay as long. */
export const LONGEST_TOKEN_MS = 180 * 86_400_000;

/**
 * Short-lived signed tokens of one kind, told apart by their audience: a token of one kind is worthless for another.
 * The key ring is `id:base64,…`, the first key signs and all verify. The library is loaded with the first of them,
 * because payers carry no such token.
 */
export function createSignedTokens(keyRing: string, audience: string, lifeMs: number): SignedTokens {
  let tokens: SignedTokens | undefined;
  const loaded = async () => {
    tokens ??= (await import('./jose-tokens.ts')).joseTokens(keyRing, audience, lifeMs);
    return tokens;
  };
  return {
    issue: async (claims, now) => (await loaded()).issue(claims, now),
    read: async (token, now) => (token.length > 2000 ? null : (await loaded()).read(token, now)),
  };
}
