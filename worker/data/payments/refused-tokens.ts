import { eq } from 'drizzle-orm';
import { refusedTokens } from '#worker/data/schema/refused-tokens';
import { type Attempt, paymentAttempts } from '#worker/data/schema/schema';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';

const REFUSE = `INSERT INTO refused_tokens (token_hash, refused_at)
SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM payment_attempts WHERE token_hash = ?1) ON CONFLICT DO NOTHING`;
const CLAIMED = `SELECT ${columnsOf(paymentAttempts, 'a', '')} FROM payment_attempts a
WHERE a.token_hash = ?1
  AND EXISTS (SELECT 1 FROM pay_links l WHERE l.pay_id = ?2 AND l.hub_id = a.hub_id AND l.invoice_id = a.invoice_id)`;

/**
 * Refuse a card token for good, unless an attempt has claimed an invoice with it; returned if that is the link's own. Both
 * in one moment, so that a token is either refused or claimed. `now`: UTC ms.
 */
export async function refuseToken(
  { $client }: Db,
  tokenHash: string,
  payId: string,
  now: number,
): Promise<Attempt | null> {
  const [, claimed] = await $client.batch<RawRow>([
    $client.prepare(REFUSE).bind(tokenHash, now),
    $client.prepare(CLAIMED).bind(tokenHash, payId),
  ]);
  const row = claimed?.results[0];
  return row ? rowOf(paymentAttempts, row, '') : null;
}

export async function isTokenRefused(db: Db, tokenHash: string): Promise<boolean> {
  const found = await db.select().from(refusedTokens).where(eq(refusedTokens.tokenHash, tokenHash)).limit(1);
  return found.length > 0;
}
