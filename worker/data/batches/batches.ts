import type { GatewayBatch } from '#worker/vendors/gateway-port';
import type { Db } from '../db.ts';
import { prepare, rawSql } from '../raw-sql.ts';

type Terminal = { accountId: number; terminalId: string };

/** Note a terminal's batches as the gateway shows them; only what has changed is written. */
export async function keepBatches(
  { $client: d1 }: Db,
  { accountId, terminalId }: Terminal,
  batches: GatewayBatch[],
): Promise<void> {
  if (batches.length === 0) return;
  const rows = batches.map(({ id, status, openedAt, settledAt, netCents, confirmationCode }) => ({
    ...{ id, status, openedAt, settledAt, netCents },
    code: confirmationCode,
  }));
  await prepare(
    d1,
    rawSql`INSERT INTO batches
      (account_id, terminal_id, batch_id, status, opened_at, settled_at, net_cents, confirmation_code)
      SELECT ${accountId}, ${terminalId}, b.value ->> 'id', b.value ->> 'status', b.value ->> 'openedAt',
        b.value ->> 'settledAt', b.value ->> 'netCents', b.value ->> 'code'
      FROM json_each(${JSON.stringify(rows)}) b WHERE true
      ON CONFLICT (account_id, terminal_id, batch_id) DO UPDATE SET status = excluded.status,
        opened_at = excluded.opened_at, settled_at = excluded.settled_at, net_cents = excluded.net_cents,
        confirmation_code = excluded.confirmation_code
      WHERE status <> excluded.status OR settled_at IS NOT excluded.settled_at
        OR net_cents IS NOT excluded.net_cents OR confirmation_code <> excluded.confirmation_code`,
  ).run();
}

/** Terminals with a batch that was open when it was last seen, or with a close whose end is not known. */
export async function listOpenTerminals({ $client: d1 }: Db, accountId: number): Promise<string[]> {
  const { results } = await d1
    .prepare(
      `SELECT terminal_id FROM batches INDEXED BY batches_open WHERE account_id = ?1 AND status <> 'closed'
        UNION SELECT terminal_id FROM batch_closes INDEXED BY batch_closes_open
          WHERE account_id = ?1 AND state IN ('sent', 'unknown', 'processing')`,
    )
    .bind(accountId)
    .all<{ terminal_id: string }>();
  return results.map(({ terminal_id }) => terminal_id);
}

/** When the oldest batch was settled that was not paid out yet, of those since `since`; null: there is none. */
export async function oldestUnfunded({ $client: d1 }: Db, accountId: number, since: number): Promise<number | null> {
  return d1
    .prepare(
      `SELECT min(settled_at) AS at FROM batches INDEXED BY batches_unfunded
      WHERE account_id = ?1 AND settled_at > ?2 AND status = 'closed' AND funded_on IS NULL`,
    )
    .bind(accountId, since)
    .first<number>('at');
}

type Paid = { batchId: string; terminalId: string; fundedOn: string; depositCents: number };

/** Note what arrived at the bank. */
export async function keepDeposits({ $client: d1 }: Db, accountId: number, deposits: Paid[]): Promise<void> {
  await prepare(
    d1,
    rawSql`UPDATE batches INDEXED BY batches_unfunded SET funded_on = d.value ->> 'fundedOn', deposit_cents = d.value ->> 'depositCents'
      FROM json_each(${JSON.stringify(deposits)}) d
      WHERE account_id = ${accountId} AND status = 'closed' AND funded_on IS NULL AND batch_id = d.value ->> 'batchId'
        AND terminal_id = d.value ->> 'terminalId'`,
  ).run();
}

export async function findMerchantNumber({ $client: d1 }: Db, accountId: number): Promise<string | null> {
  return d1
    .prepare('SELECT merchant_number FROM merchants WHERE account_id = ?1')
    .bind(accountId)
    .first<string>('merchant_number');
}
