import { ACCOUNT, add, addClinic, addEntry, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, type LookUpScript, NOW } from '#tests/support/unit/shown-gateway';
import { findReversal, findReversiblePayment } from '#worker/data/refunds/reversals';
import { reconcileReversal } from '#worker/domain/refunds/inquire-reversal-status';

const DAY = 86_400_000;
export const PAID_AT = NOW - 2 * DAY;

/** Adds a card payment of $100.00. */
export async function addCardPayment(): Promise<void> {
  await addClinic({ time_zone: 'UTC' }, 't1');
  await addPayment('p1', { terminal_id: 't1', provider_txn_id: 'txn-p1', created_at: PAID_AT });
  await addEntry('p1', { at: PAID_AT });
}

export const addReversal = (id: string, fields: Record<string, unknown> = {}) =>
  add('reversals', {
    id,
    attempt_id: 'p1',
    request_key: id,
    kind: 'refund',
    amount_cents: 3_000,
    dedupe_key: 'k1',
    state: 'unknown',
    created_at: NOW - 1_000,
    hold_until: NOW + DAY,
    next_check_at: NOW,
    ...fields,
  });

/** Adds the reversal `r1` with these values and inquires about it at a gateway with these transactions. */
export async function inquire(row: Record<string, unknown>, script: LookUpScript, now = NOW) {
  await addReversal('r1', row);
  const world = depsWithGateway(script, now);
  const [stored, reversible] = [await findReversal(db, 'r1'), await findReversiblePayment(db, ACCOUNT, 'p1')];
  if (!stored || !reversible) throw new Error('the reversal is not stored');
  const reversal = await reconcileReversal(world.deps, stored, reversible.attempt);
  const booked = await rowsOf(
    "SELECT provider_txn_id AS id, kind, amount_cents AS cents, at FROM ledger WHERE kind <> 'payment'",
  );
  return { ...world, reversal, booked };
}
