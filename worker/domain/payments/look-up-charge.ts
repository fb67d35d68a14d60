import { listRefundsOf } from '#worker/data/reconciliation/gateway-transactions';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import type { GatewayTransaction, TerminalRef } from '#worker/vendors/gateway-port';
import { queryAnyTerminal } from './query-any-terminal.ts';

/** The gateway's transactions for an attempt. */
export type ChargeLookUp = {
  /** Charges under its own order id, approved or not. */
  ownCharges: GatewayTransaction[];
  /** Money under its dedupe key for another order id. */
  foreignCharges: GatewayTransaction[];
  /** All transactions found, including refunds and voids. */
  all: GatewayTransaction[];
  /** The terminal of the lookup. */
  terminal: TerminalRef;
};

/**
 * Looks up an attempt at the gateway by its order id and by its dedupe key. The two answers come from different
 * moments, and each of the gateway's indexes may lag, so a charge may be missing from either. Both answers are merged
 * with the transactions that the gateway has just reported (`reported`). `unavailable`: one request was not answered,
 * so nothing is known. `turn`: the number of the lookup, if it is repeated automatically.
 */
export async function lookUpCharge(
  { db, gateway }: Deps,
  attempt: Attempt,
  reported: GatewayTransaction[] = [],
  turn?: number,
): Promise<ChargeLookUp | 'unavailable'> {
  const { accountId, terminalId: first, method } = attempt;
  const result = await queryAnyTerminal({ db }, { accountId, first, turn }, (terminal) =>
    gateway.find(terminal, method, { attemptId: attempt.id }),
  );
  if (typeof result === 'string') return 'unavailable';
  const { terminal, answer: byOrder } = result;
  const byKey = await gateway.find(terminal, attempt.method, { dedupeKey: attempt.dedupeKey });
  if (byKey === 'unavailable') return byKey;
  const all = mergeLookUps(mergeLookUps(byOrder, byKey), reported);
  const isOwn = (txn: GatewayTransaction) => txn.attemptId === attempt.id && isCharge(txn);
  return { ownCharges: all.filter(isOwn), foreignCharges: all.filter((txn) => isForeign(txn, attempt)), all, terminal };
}

/**
 * Looks up an attempt's dedupe key for the other payment method, because the gateway lists cards and bank debits
 * separately. Returns possible foreign money, including transactions in an unknown state. `unavailable`: nothing is
 * known.
 */
export async function lookUpOtherMethod(
  { gateway }: Deps,
  terminal: TerminalRef,
  attempt: Attempt,
): Promise<GatewayTransaction[] | 'unavailable'> {
  const other = attempt.method === 'ach' ? 'card' : 'ach';
  const response = await gateway.find(terminal, other, { dedupeKey: attempt.dedupeKey });
  return response === 'unavailable' ? response : response.filter((txn) => mayBeForeignMoney(txn, attempt));
}

/**
 * True for another charge under an attempt's dedupe key, unless the gateway states that no money moved or that it was
 * reversed.
 */
export const mayBeForeignMoney = (txn: GatewayTransaction, attempt: Attempt): boolean =>
  txn.attemptId !== attempt.id &&
  txn.dedupeKey === attempt.dedupeKey &&
  isCharge(txn) &&
  txn.state !== 'declined' &&
  txn.state !== 'returned' &&
  !txn.isVoided;

const isForeign = (txn: GatewayTransaction, attempt: Attempt) => mayBeForeignMoney(txn, attempt) && isMoney(txn);

/**
 * Merges two answers about the same transactions. The later answer may show an older state, so neither is dropped: a
 * void in either counts, the state later in a transaction's life wins, and two states that cannot both be true become
 * `other`.
 */
export function mergeLookUps(first: GatewayTransaction[], second: GatewayTransaction[]): GatewayTransaction[] {
  const isSame = (a: GatewayTransaction, b: GatewayTransaction) => a.id !== '' && a.id === b.id;
  return [
    ...first.map((txn) => {
      const match = second.find((other) => isSame(other, txn));
      return match ? mergeReports(txn, match) : txn;
    }),
    ...second.filter((txn) => !first.some((other) => isSame(other, txn))),
  ];
}

const LIFECYCLE: GatewayTransaction['state'][] = ['other', 'pending', 'declined', 'approved', 'returned'];

function mergeReports(a: GatewayTransaction, b: GatewayTransaction): GatewayTransaction {
  const [earlier, later] = LIFECYCLE.indexOf(a.state) > LIFECYCLE.indexOf(b.state) ? [b, a] : [a, b];
  const isContradictory = earlier.state === 'declined' && later.state !== 'declined';
  return {
    ...later,
    state: isContradictory ? 'other' : later.state,
    attemptId: later.attemptId || earlier.attemptId,
    dedupeKey: later.dedupeKey || earlier.dedupeKey,
    parentId: later.parentId || earlier.parentId,
    isVoided: a.isVoided || b.isVoided,
    amountCents: a.amountCents === b.amountCents ? a.amountCents : null,
  };
}

const isCharge = (txn: GatewayTransaction) => ['SALE', 'DEBIT', 'FORCED SALE', ''].includes(txn.kind.toUpperCase());

/** True if money moved or is about to. */
export const isMoney = (txn: GatewayTransaction) => txn.state === 'approved' || txn.state === 'pending';

/** True if the clinic has no money from this charge and will not get any. */
export const hasFailed = ({ state, isVoided }: Pick<GatewayTransaction, 'state' | 'isVoided'>): boolean =>
  isVoided || state === 'returned' || state === 'declined';

/**
 * The charges of an attempt that were not refunded in full. A refund made in the provider's portal refers only to its
 * charge, so only the comparison with the gateway's list finds it. Each refund is looked up again, since it may have
 * been voided. Without an answer, the charge counts as held.
 */
export async function excludeRefunded(
  { db, gateway }: Deps,
  attempt: Attempt,
  terminal: TerminalRef,
  charges: GatewayTransaction[],
): Promise<GatewayTransaction[]> {
  const heldCharges: GatewayTransaction[] = [];
  for (const charge of charges) {
    let refundedCents = 0;
    for (const providerTxnId of await listRefundsOf(db, attempt, charge.id)) {
      const response = await gateway.find(terminal, attempt.method, { providerTxnId });
      const refund = response === 'unavailable' ? undefined : response.find(({ id }) => id === providerTxnId);
      // An unreadable amount proves nothing, so the charge still counts as held.
      if (refund?.state === 'approved' && !refund.isVoided && refund.amountCents !== null)
        refundedCents += refund.amountCents;
    }
    const isRefunded =
      charge.state === 'approved' && charge.amountCents !== null && refundedCents >= charge.amountCents;
    if (!isRefunded) heldCharges.push(charge);
  }
  return heldCharges;
}
