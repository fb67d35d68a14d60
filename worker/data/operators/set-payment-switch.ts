import type { Db } from '#worker/data/db';
import type { PaymentSwitch } from '#worker/data/schema/operators';
import { eventStatement, type TextEvent } from '../audit/events.ts';

/** Pause or resume online payments. False: they are so already. `at`: UTC ms. */
export async function setPaymentSwitch(
  { $client }: Db,
  { state, at, operatorId, reason }: Omit<PaymentSwitch, 'id'>,
  event: TextEvent,
): Promise<boolean> {
  const [set] = await $client.batch([
    $client
      .prepare(
        `INSERT INTO payment_switch (id, state, at, operator_id, reason)
SELECT 1, ?1, ?2, ?3, ?4 WHERE ?1 <> coalesce((SELECT state FROM payment_switch WHERE id = 1), 'open')
ON CONFLICT (id) DO UPDATE SET state = ?1, at = ?2, operator_id = ?3, reason = ?4`,
      )
      .bind(state, at, operatorId, reason),
    eventStatement($client, event),
  ]);
  return (set?.meta.changes ?? 0) > 0;
}
