import type { Db } from '../db.ts';
import { REQUESTS } from '../schema/mail-rules.ts';

/** What our own books say against one of many links. */
export type Against = {
  isMailed: 0 | 1;
  bad: 'bounced' | 'suppressed' | 'complained' | null;
};

/** `since` (UTC ms): a link or a reminder after it counts. */
export async function readAgainst(
  { $client }: Db,
  of: { accountId: number; invoiceId: string; address: string },
  since: number,
): Promise<Against> {
  const found = await $client
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM outbox WHERE account_id = ?1 AND invoice_id = ?2 AND created_at > ?3 AND state <> 'failed'
          AND kind IN ${REQUESTS}) AS isMailed,
        (SELECT why FROM mail_addresses WHERE account_id = ?1 AND address = ?4) AS bad`,
    )
    .bind(of.accountId, of.invoiceId, since, of.address.toLowerCase())
    .first<Against>();
  if (!found) throw new Error('a question without a table has one row');
  return found;
}
