import type { Attempt } from '../data/schema.ts';
import { findTerminal } from '../data/terminals.ts';
import type { Deps } from '../deps.ts';
import type { GatewayTransaction } from '../ports/gateway.ts';

/** What the gateway shows of an attempt. */
export type Sighting = {
  /** Charges under its own order id, approved or not. */
  own: GatewayTransaction[];
  /** Money taken under its dedupe key for another order id. */
  foreign: GatewayTransaction[];
  /** All that was shown, refunds and voids among it. */
  all: GatewayTransaction[];
};

/**
 * Ask the gateway for an attempt by its order id and by its dedupe key. The two answers are two moments, and each of the
 * gateway's indexes may lag behind by itself: a charge may be missing from the first and stand in the second, so what is
 * ours is taken from both. `unavailable`: one of them was not answered, and nothing is known.
 *
 * `isEnough` spares the second look-up where the first has settled the matter.
 */
export async function sightCharge(
  { db, gateway }: Deps,
  attempt: Attempt,
  isEnough: (own: GatewayTransaction[]) => boolean = () => false,
): Promise<Sighting | 'unavailable'> {
  const terminal = await findTerminal(db, attempt.hubId, attempt.terminalId);
  if (!terminal) return 'unavailable';
  const isOwn = (txn: GatewayTransaction) => txn.attemptId === attempt.id && isCharge(txn);
  const byOrder = await gateway.find(terminal, attempt.method, { attemptId: attempt.id });
  if (byOrder === 'unavailable') return byOrder;
  const own = byOrder.filter(isOwn);
  if (isEnough(own)) return { own, foreign: [], all: byOrder };

  const byKey = await gateway.find(terminal, attempt.method, { dedupeKey: attempt.dedupeKey });
  if (byKey === 'unavailable') return byKey;
  // The later word on a transaction counts.
  const all = [...byOrder.filter(({ id }) => !byKey.some((later) => later.id === id)), ...byKey];
  const isForeign = (txn: GatewayTransaction) =>
    txn.attemptId !== attempt.id && txn.dedupeKey === attempt.dedupeKey && isCharge(txn) && isMoney(txn);
  return { own: all.filter(isOwn), foreign: all.filter(isForeign), all };
}

const isCharge = (txn: GatewayTransaction) => ['SALE', 'DEBIT', 'FORCED SALE', ''].includes(txn.kind.toUpperCase());

/** Money moved, or is about to. */
export const isMoney = (txn: GatewayTransaction) => txn.state === 'approved' || txn.state === 'pending';
