import { findInvoice } from '#worker/data/invoices/invoices';
import { findAttempt, findLedgerPayment, sumBeside } from '#worker/data/payments/attempts';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { netAmountOf } from '#worker/domain/batches/net-amount';
import type { Merchant } from '#worker/domain/merchants/session';
import { withoutGivenBack } from '#worker/domain/payments/given-back';
import { isMoney, lookUpCharge } from '#worker/domain/payments/look-up-charge';
import { approval, LAST_LOOK_MS, type Move, settle } from '#worker/domain/payments/settle';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { keepRestOwed } from './rest-of-lost.ts';

export type ResolveOutcome =
  | { kind: 'resolved'; attempt: Attempt }
  | { kind: 'contradicted'; why: string }
  | { kind: 'not-found' | 'unavailable' };

/**
 * A person decides a payment that no program could decide. The gateway is asked before the person is believed:
 * `charged` needs exactly one transaction for the payment, and `not-charged` a gateway that shows no money taken for
 * it.
 */
export async function resolvePayment(
  deps: Deps,
  merchant: Merchant,
  attemptId: string,
  { verdict, note }: { verdict: 'charged' | 'not-charged'; note: string },
): Promise<ResolveOutcome> {
  const { db, now } = deps;
  const attempt = await findAttempt(db, attemptId);
  if (attempt?.accountId !== merchant.accountId) return { kind: 'not-found' };
  if (attempt.state !== 'needs_human') return { kind: 'contradicted', why: 'This payment is decided already.' };
  const lookup = await lookUpCharge(deps, attempt);
  if (lookup === 'unavailable') return { kind: 'unavailable' };

  const shown = lookup.all.filter((txn) => txn.attemptId === attemptId && netAmountOf(txn) !== 0);
  const taken = await withoutGivenBack(deps, attempt, lookup.terminal, shown);
  const why = await whyNot(deps, attempt, taken, verdict);
  if (why !== null) return { kind: 'contradicted', why };
  if (verdict === 'charged' && (await isCovered(db, attempt)))
    return { kind: 'contradicted', why: paidOtherwise(deps.gateway.displayName) };
  const at = now();
  const [txn] = taken;
  const from: Move['from'] = ['needs_human'];
  const decision = { id: deps.newId(), verdict, resolvedBy: merchant.userId };
  const move: Move = {
    ...(verdict === 'charged' && txn
      ? approval(txn, from, at)
      : { to: 'not_charged', from, at, nextCheckAt: at + LAST_LOOK_MS, isKeySpent: lookup.all.some(isApproved) }),
    ...{ note, decision },
  };
  if (verdict === 'charged' && txn) {
    const kept = await keepRestOwed(deps, { ...attempt, txnId: txn.id }, merchant);
    if (kept === 'crm-unavailable') return { kind: 'contradicted', why: unread(deps.crm.displayName) };
  }
  const settled = await settle(deps, attempt, move).catch((cause: unknown) => {
    if (!/UNIQUE constraint failed: payment_attempts/.test(String(cause))) throw cause;
    return null;
  });
  if (!settled) return { kind: 'contradicted', why: paidOtherwise(deps.gateway.displayName) };
  if (!settled.moved || !settled.attempt) return { kind: 'contradicted', why: 'This payment is decided already.' };
  deps.log.info('payment-resolved', { attemptId, verdict, userId: merchant.userId });
  return { kind: 'resolved', attempt: settled.attempt };
}

/** Whether other payments of the invoice leave no room for this one: booked as well, more would be kept than was ever owed. */
async function isCovered(db: Deps['db'], attempt: Attempt): Promise<boolean> {
  const { accountId, invoiceId, amountCents } = attempt;
  const [invoice, { keptCents }] = await Promise.all([findInvoice(db, accountId, invoiceId), sumBeside(db, attempt)]);
  const base = invoice?.partBaseCents ?? null;
  return base === null ? keptCents > 0 : keptCents + amountCents > base;
}

/** Also of one that was voided since: the gateway may still count it. */
const isApproved = ({ state }: GatewayTransaction): boolean => state === 'approved';

const unread = (name: string) =>
  `${name} is not answering, so nobody knows what this payment leaves owed. Please try again in a minute.`;

const paidOtherwise = (name: string) =>
  `Another payment of this invoice is in our books. Void or refund this one at ${name}, then press Check now.`;

async function whyNot(
  { db, gateway, now }: Deps,
  attempt: Attempt,
  taken: GatewayTransaction[],
  verdict: 'charged' | 'not-charged',
): Promise<string | null> {
  const name = gateway.displayName;
  const [first] = taken;
  if (verdict === 'not-charged') {
    // A state that no program knows is for the person to judge; money that is there, or may still come, is not.
    if (taken.some(isMoney))
      return `${name} shows money taken for this payment. Void or refund it there, then press Check now.`;
    return now() < attempt.holdUntil
      ? 'The charge may still be on its way. Please decide in a quarter of an hour.'
      : null;
  }
  if (!first) return `${name} shows no money taken for this payment.`;
  if (taken.length > 1)
    return `${name} shows more than one charge for this payment. Void or refund the others there, then press Check now.`;
  if (first.state !== 'approved') return `${name} has not decided on this payment yet.`;
  if (first.amountCents !== attempt.amountCents)
    return `${name} shows another amount than the one that was asked for. Void or refund it there, then press Check now.`;
  const other = await findLedgerPayment(db, attempt, first.id);
  return other && other.id !== attempt.id ? 'This charge stands in our books for another payment.' : null;
}
