import { type Attempt, paymentAttempts } from '#worker/data/schema/schema';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';
import { LIVE_ATTEMPT_STATES } from './attempts.ts';

/** Identifies a submitted pay form by its card token, and by its key if there is one. */
export type SubmittedForm = { payId: string; tokenHash: string; attemptKey: string | null };

/** Identifies a sale at the desk, which has no card token. `id`: the invoice's id or one of its pay ids. */
export type SubmittedSale = { accountId: number; id: string; attemptKey: string };

const LIVE_STATES_SQL = LIVE_ATTEMPT_STATES.map((state) => `'${state}'`).join(', ');

const REFUSE_TOKEN = `INSERT INTO refused_tokens (token_hash, refused_at)
SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM payment_attempts WHERE token_hash = ?1) ON CONFLICT DO NOTHING`;

const INVOICE_OF_LINK = 'SELECT account_id, invoice_id FROM pay_links WHERE pay_id = ?1';
const INVOICE_OF_ID = `SELECT ?2 AS account_id,
  coalesce((SELECT invoice_id FROM pay_links WHERE pay_id = ?1 AND account_id = ?2), ?1) AS invoice_id`;

/** SQL that refuses a key, unless a live attempt has it. `?3`: the key, `?4`: now (UTC ms). */
const refuseKey = (invoice: string) => `INSERT INTO refused_keys (account_id, invoice_id, attempt_key, refused_at)
SELECT i.account_id, i.invoice_id, ?3, ?4 FROM (${invoice}) i
WHERE NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE a.account_id = i.account_id AND a.invoice_id = i.invoice_id
                  AND a.attempt_key = ?3 AND a.state IN (${LIVE_STATES_SQL})) ON CONFLICT DO NOTHING`;
const REFUSE_KEY_OF_LINK = refuseKey(INVOICE_OF_LINK);
const REFUSE_KEY_OF_SALE = refuseKey(INVOICE_OF_ID);

const CLAIMED_BY_TOKEN = `SELECT ${columnsOf(paymentAttempts, 'a', '')} FROM payment_attempts a
WHERE a.token_hash = ?1
  AND EXISTS (SELECT 1 FROM pay_links l WHERE l.pay_id = ?2 AND l.account_id = a.account_id AND l.invoice_id = a.invoice_id)`;

const CLAIMED_BY_KEY = `SELECT ${columnsOf(paymentAttempts, 'a', '')} FROM payment_attempts a, (${INVOICE_OF_ID}) i
WHERE a.account_id = i.account_id AND a.invoice_id = i.invoice_id AND a.attempt_key = ?3 AND a.state IN (${LIVE_STATES_SQL})`;

/**
 * Refuse a form permanently: its card token, unless an attempt already uses it, and its key, unless a live attempt has
 * it. Returns the attempt with the token if it is for the same invoice. This is atomic: a form either is refused or has
 * made a claim. `now`: UTC ms.
 */
export async function refuseForm(
  { $client }: Db,
  { payId, tokenHash, attemptKey }: SubmittedForm,
  now: number,
): Promise<Attempt | null> {
  const results = await $client.batch<RawRow>([
    $client.prepare(CLAIMED_BY_TOKEN).bind(tokenHash, payId),
    $client.prepare(REFUSE_TOKEN).bind(tokenHash, now),
    ...(attemptKey === null ? [] : [$client.prepare(REFUSE_KEY_OF_LINK).bind(payId, null, attemptKey, now)]),
  ]);
  return firstAttemptOf(results[0]);
}

/** Refuse a sale at the desk permanently, unless it has claimed its invoice. Returns the live attempt in that case. */
export async function refuseSale(
  { $client }: Db,
  { accountId, id, attemptKey }: SubmittedSale,
  now: number,
): Promise<Attempt | null> {
  const [claimed] = await $client.batch<RawRow>([
    $client.prepare(CLAIMED_BY_KEY).bind(id, accountId, attemptKey),
    $client.prepare(REFUSE_KEY_OF_SALE).bind(id, accountId, attemptKey, now),
  ]);
  return firstAttemptOf(claimed);
}

const firstAttemptOf = (result: D1Result<RawRow> | undefined): Attempt | null => {
  const row = result?.results[0];
  return row ? rowOf(paymentAttempts, row, '') : null;
};

const IS_REFUSED = `SELECT 1 AS n WHERE EXISTS (SELECT 1 FROM refused_tokens WHERE token_hash = ?1)
  OR EXISTS (SELECT 1 FROM refused_keys k JOIN pay_links l ON l.account_id = k.account_id AND l.invoice_id = k.invoice_id
             WHERE l.pay_id = ?2 AND k.attempt_key = ?3)`;

export async function isFormRefused(
  { $client }: Db,
  { payId, tokenHash, attemptKey }: SubmittedForm,
): Promise<boolean> {
  const [refused] = await $client.batch<RawRow>([$client.prepare(IS_REFUSED).bind(tokenHash, payId, attemptKey)]);
  return refused?.results[0] !== undefined;
}
