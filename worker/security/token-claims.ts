/** Claims of a signed token; `more` holds further claims by their own names. */
export type Claims = { id: string; subject: string; endsAt: number; more: Record<string, unknown> };

export type SignedTokens = {
  issue(
    claims: Pick<Claims, 'id' | 'subject'> & { more?: Record<string, string | number> },
    now: number,
  ): Promise<string>;
  /** Null for a token that is not ours, is of another kind or has expired. */
  read(token: string, now: number): Promise<Claims | null>;
};
