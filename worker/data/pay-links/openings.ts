import type { Db } from '../db.ts';
import { prepare, raw, rawSql } from '../raw-sql.ts';

/** Loads so soon (ms) after one another are one look at the bill. */
const ONE_LOOK_MS = 60_000;
/** Of one invoice: who holds its link may not fill the clinic's database. */
const MOST = 100;

/** Note that the page of a live link was looked at: once for each load, and never by `except`'s own staff. */
export async function noteOpening(
  { $client: d1 }: Db,
  { payId, loadId, except }: { payId: string; loadId: string; except: number | null },
  now: number,
): Promise<void> {
  const ofInvoice = 'FROM page_views o WHERE o.account_id = l.account_id AND o.invoice_id = l.invoice_id';
  await prepare(
    d1,
    rawSql`INSERT INTO page_views (account_id, invoice_id, load_id, at)
      SELECT l.account_id, l.invoice_id, ${loadId}, ${now} FROM pay_links l
      WHERE l.pay_id = ${payId} AND l.state = 'live' AND l.ends_at > ${now} AND l.account_id IS NOT ${except}
        AND NOT EXISTS (SELECT 1 ${raw(ofInvoice)} AND o.at > ${now - ONE_LOOK_MS})
        AND (SELECT count(*) ${raw(ofInvoice)}) < ${MOST}
      ON CONFLICT DO NOTHING`,
  ).run();
}
