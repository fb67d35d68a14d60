import type { PaymentSwitch } from '#worker/data/schema/operators';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { UNDECIDED } from '../schema/payments.ts';

/**
 * Make postponed work of a clinic due now: lookups of payments with unknown outcome, and failed reconciliations. Work
 * that waits for its regular time or for a person stays unchanged. `now`: UTC ms.
 */
export async function makeDueNow({ $client: d1 }: Db, accountId: number, now: number): Promise<void> {
  const writes = [
    `UPDATE payment_attempts INDEXED BY payment_attempts_undecided SET next_check_at = ?2
WHERE account_id = ?1 AND ${UNDECIDED} AND state = 'unknown' AND next_check_at > ?2`,
    'UPDATE reconciliation_cursors SET next_at = ?2 WHERE account_id = ?1 AND failing_since IS NOT NULL AND next_at > ?2',
  ];
  await d1.batch(writes.map((sql) => d1.prepare(sql).bind(accountId, now)));
}

/** The switch for online payments; null if it was never used. Plain SQL, because every payer loads it. */
export const readPaymentSwitch = ({ $client }: Db): Promise<PaymentSwitch | null> =>
  $client
    .prepare('SELECT id, state, at, operator_id AS operatorId, reason FROM payment_switch WHERE id = 1')
    .first<PaymentSwitch>();

/** The switch with the name of its operator, which is null if they were removed. */
export const readPaymentSwitchWithName = ({ $client }: Db): Promise<(PaymentSwitch & { name: string | null }) | null> =>
  $client
    .prepare(
      `SELECT s.id, s.state, s.at, s.operator_id AS operatorId, s.reason, o.name
FROM payment_switch s LEFT JOIN operators o ON o.id = s.operator_id WHERE s.id = 1`,
    )
    .first<PaymentSwitch & { name: string | null }>();

/** Pause or resume online payments. False if they already are in that state. `at`: UTC ms. */
export async function setPaymentSwitch(
  { $client }: Db,
  { state, at, operatorId, reason }: Omit<PaymentSwitch, 'id'>,
  event: TextEvent,
): Promise<boolean> {
  const [updated] = await $client.batch([
    $client
      .prepare(
        `INSERT INTO payment_switch (id, state, at, operator_id, reason)
SELECT 1, ?1, ?2, ?3, ?4 WHERE ?1 <> coalesce((SELECT state FROM payment_switch WHERE id = 1), 'open')
ON CONFLICT (id) DO UPDATE SET state = ?1, at = ?2, operator_id = ?3, reason = ?4`,
      )
      .bind(state, at, operatorId, reason),
    eventStatement($client, event),
  ]);
  return (updated?.meta.changes ?? 0) > 0;
}
