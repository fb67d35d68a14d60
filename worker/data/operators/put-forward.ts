import type { Db } from '../db.ts';
import { UNDECIDED } from '../schema/undecided.ts';

/**
 * Make due now what trouble has put off at a clinic: looks at payments of an unknown outcome, and a comparison with the
 * card provider that failed. What waits for its time, or for a person, keeps it. `now`: UTC ms.
 */
export async function putForward({ $client: d1 }: Db, accountId: number, now: number): Promise<void> {
  const writes = [
    `UPDATE payment_attempts INDEXED BY payment_attempts_undecided SET next_check_at = ?2
WHERE account_id = ?1 AND ${UNDECIDED} AND state = 'unknown' AND next_check_at > ?2`,
    'UPDATE reconciliation_cursors SET next_at = ?2 WHERE account_id = ?1 AND failing_since IS NOT NULL AND next_at > ?2',
  ];
  await d1.batch(writes.map((sql) => d1.prepare(sql).bind(accountId, now)));
}
