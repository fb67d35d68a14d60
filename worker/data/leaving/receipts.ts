import { accounts, ledger, merchants, paymentAttempts } from '#worker/data/schema/schema';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';
import type { ReceiptRows } from '../mail/receipts.ts';

/** A payment that may have a receipt, with all that stands in it. `place`: its row id. */
export type Receipted = ReceiptRows & { place: number };

const ATTEMPTS = `SELECT a.rowid AS place, ${columnsOf(paymentAttempts, 'a', '')} FROM payment_attempts a
WHERE a.rowid > ?1 AND a.rowid <= ?2 AND a.state IN ('approved', 'pending', 'returned', 'voided', 'refunded')
ORDER BY a.rowid LIMIT ?3`;
const ENTRIES = `SELECT ${columnsOf(ledger, 'l', '')} FROM json_each(?1) ids JOIN ledger l ON l.attempt_id = ids.value
ORDER BY l.at`;

/** The next payments with their receipts' rows, two trips for all of them. */
export async function nextReceipts(
  { $client }: Db,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<Receipted[]> {
  const [attempts, account, merchant] = await $client.batch<RawRow>([
    $client.prepare(ATTEMPTS).bind(after, upTo, limit),
    $client.prepare(`SELECT ${columnsOf(accounts, 'h', '')} FROM accounts h LIMIT 1`),
    $client.prepare(`SELECT ${columnsOf(merchants, 'm', '')} FROM merchants m LIMIT 1`),
  ]);
  const [business, own] = [account?.results[0], merchant?.results[0]];
  const found = (attempts?.results ?? []).map((raw) => ({
    attempt: rowOf(paymentAttempts, raw, ''),
    place: Number(raw.place),
  }));
  if (!business || found.length === 0) return [];
  const ids = JSON.stringify(found.map(({ attempt }) => attempt.id));
  const { results } = await $client.prepare(ENTRIES).bind(ids).all<RawRow>();
  const entries = results.map((raw) => rowOf(ledger, raw, ''));
  return found.map(({ attempt, place }) => ({
    ...{ place, attempt, account: rowOf(accounts, business, '') },
    merchant: own && rowOf(merchants, own, ''),
    entries: entries.filter(({ attemptId }) => attemptId === attempt.id),
  }));
}
