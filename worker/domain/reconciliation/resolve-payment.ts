import { findTokens } from '#worker/data/crm-sync/tokens';
import { findInvoice } from '#worker/data/invoices/invoices';
import { findAttempt, findLedgerPayment, sumOtherPayments } from '#worker/data/payments/attempts';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { netAmountOf } from '#worker/domain/batches/transactions';
import { callCrm, withCrm } from '#worker/domain/crm-sync/access';
import { freezeRemainder } from '#worker/domain/invoices/freeze-changed-amount';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import type { Merchant } from '#worker/domain/merchants/session';
import { excludeRefunded, isMoney, lookUpCharge } from '#worker/domain/payments/look-up-charge';
import { approvalMove, FINAL_CHECK_MS, type Move, settle } from '#worker/domain/payments/settle';
import { WRITE_SCOPE } from '#worker/domain/write-back/settings';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';

/** A charge that a restore lost. The CRM may have recorded it under the gateway's id (`txnId`). */
type LostCharge = Pick<Attempt, 'id' | 'accountId' | 'invoiceId' | 'collection' | 'amountCents'> & { txnId: string };

/**
 * A charge that a restore lost may be one of several parts, while our books treat it as the full payment. So that it
 * does not settle more than its amount, the remainder is frozen until a person decides what is owed.
 * `crm-unavailable`: the remainder is unknown.
 */
export async function freezeLostRemainder(
  deps: Deps,
  lostCharge: LostCharge,
  { userId }: Merchant,
): Promise<'crm-unavailable' | 'done'> {
  const { db } = deps;
  const { accountId, invoiceId, amountCents } = lostCharge;
  const invoice = await findInvoice(db, accountId, invoiceId);
  if (!invoice) return 'done';
  const { owedCents, isSettledHere, installments } = invoiceBalance(invoice);
  if (isSettledHere || installments) return 'done';
  const crmAmounts = await readCrmAmounts(deps, lostCharge, owedCents);
  if (crmAmounts === 'crm-unavailable') return crmAmounts;
  if (crmAmounts.owedCents === null) return 'done';
  const balanceCents = crmAmounts.owedCents + crmAmounts.recordedCents;
  if (balanceCents <= amountCents) return 'done';
  await freezeRemainder(deps, invoice, { balanceCents, shownCents: crmAmounts.owedCents, openedBy: userId });
  return 'done';
}

/**
 * `recordedCents`: the sum of payments that we have not booked yet but the CRM has, or may have, subtracted from its
 * balance.
 */
type CrmAmounts = { owedCents: number | null; recordedCents: number };

/**
 * The amount owed according to the CRM. If payments are recorded in it, a record from the hours that a restore lost may
 * already have lowered that amount. `recordedCents` has to be added back when a collection is opened whose payments are
 * not booked yet.
 */
async function readCrmAmounts(
  deps: Deps,
  lostCharge: LostCharge,
  owedCents: number | null,
): Promise<CrmAmounts | 'crm-unavailable'> {
  const { db, crm } = deps;
  const tokens = await findTokens(db, lostCharge.accountId);
  if (!tokens || tokens.revokedAt !== null || !tokens.scopes.split(' ').includes(WRITE_SCOPE))
    return { owedCents, recordedCents: 0 };
  return callCrm(deps, lostCharge.accountId, () =>
    withCrm(deps, tokens, async (accessToken) => {
      const paymentRecords = crm.paymentRecords;
      const records = await paymentRecords.listRecords(accessToken, lostCharge.invoiceId);
      const balance = await paymentRecords.readBalance(accessToken, lostCharge.invoiceId);
      if (!balance || records.length === 0) return { owedCents, recordedCents: 0 };
      const crmOwedCents = balance.isPaid ? 0 : balance.balanceCents;
      const hasMoved = balance.billedCents === null || crmOwedCents === null || crmOwedCents < balance.billedCents;
      if (!hasMoved) return { owedCents: crmOwedCents, recordedCents: 0 };
      const { undecidedCents } = await sumOtherPayments(db, lostCharge);
      const isRecorded = records.some(({ reference }) => reference === lostCharge.txnId);
      return { owedCents: crmOwedCents, recordedCents: undecidedCents + (isRecorded ? lostCharge.amountCents : 0) };
    }),
  );
}

export type ResolveOutcome =
  | { kind: 'resolved'; attempt: Attempt }
  | { kind: 'contradicted'; why: string }
  | { kind: 'not-found' | 'unavailable' };

/**
 * Applies a person's verdict to an undecided payment. The gateway is checked first: `charged`
 * requires exactly one transaction for the payment, and `not-charged` requires that the gateway shows no money taken
 * for it.
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
  if (attempt.state !== 'needs_human') return { kind: 'contradicted', why: 'This payment is already decided.' };
  const lookup = await lookUpCharge(deps, attempt);
  if (lookup === 'unavailable') return { kind: 'unavailable' };

  const ownTransactions = lookup.all.filter((txn) => txn.attemptId === attemptId && netAmountOf(txn) !== 0);
  const heldCharges = await excludeRefunded(deps, attempt, lookup.terminal, ownTransactions);
  const contradiction = await findContradiction(deps, attempt, heldCharges, verdict);
  if (contradiction !== null) return { kind: 'contradicted', why: contradiction };
  if (verdict === 'charged' && (await isCovered(db, attempt)))
    return { kind: 'contradicted', why: otherPaymentText(deps.gateway.displayName) };
  const at = now();
  const [txn] = heldCharges;
  const from: Move['from'] = ['needs_human'];
  const decision = { id: deps.newId(), verdict, resolvedBy: merchant.userId };
  const move: Move = {
    ...(verdict === 'charged' && txn
      ? approvalMove(txn, from, at)
      : { to: 'not_charged', from, at, nextCheckAt: at + FINAL_CHECK_MS, isKeySpent: lookup.all.some(isApproved) }),
    note,
    decision,
  };
  if (verdict === 'charged' && txn) {
    const outcome = await freezeLostRemainder(deps, { ...attempt, txnId: txn.id }, merchant);
    if (outcome === 'crm-unavailable') return { kind: 'contradicted', why: crmUnavailableText(deps.crm.displayName) };
  }
  const settlement = await settle(deps, attempt, move).catch((cause: unknown) => {
    if (!/UNIQUE constraint failed: payment_attempts/.test(String(cause))) throw cause;
    return null;
  });
  if (!settlement) return { kind: 'contradicted', why: otherPaymentText(deps.gateway.displayName) };
  if (!settlement.moved || !settlement.attempt)
    return { kind: 'contradicted', why: 'This payment is already decided.' };
  deps.log.info('payment-resolved', { attemptId, verdict, userId: merchant.userId });
  return { kind: 'resolved', attempt: settlement.attempt };
}

/** True if other payments cover the invoice, so that this payment would exceed the amount that was ever owed. */
async function isCovered(db: Deps['db'], attempt: Attempt): Promise<boolean> {
  const { accountId, invoiceId, amountCents } = attempt;
  const [invoice, { keptCents }] = await Promise.all([
    findInvoice(db, accountId, invoiceId),
    sumOtherPayments(db, attempt),
  ]);
  const baseCents = invoice?.partBaseCents ?? null;
  return baseCents === null ? keptCents > 0 : keptCents + amountCents > baseCents;
}

/** Also true for a charge that has been voided, since the gateway may still count it. */
const isApproved = ({ state }: GatewayTransaction): boolean => state === 'approved';

const crmUnavailableText = (name: string) =>
  `${name} is not answering, so we cannot tell what is still owed after this payment. Please try again in a minute.`;

const otherPaymentText = (name: string) =>
  `Another payment of this invoice is in our books. Void or refund this one at ${name}, then press Check now.`;

async function findContradiction(
  { db, gateway, now }: Deps,
  attempt: Attempt,
  heldCharges: GatewayTransaction[],
  verdict: 'charged' | 'not-charged',
): Promise<string | null> {
  const name = gateway.displayName;
  const [first] = heldCharges;
  if (verdict === 'not-charged') {
    // A person may judge an unknown state, but not overrule money that is there or may still come.
    if (heldCharges.some(isMoney))
      return `${name} shows money taken for this payment. Void or refund it there, then press Check now.`;
    return now() < attempt.holdUntil
      ? 'The charge may still be on its way. Please decide in a quarter of an hour.'
      : null;
  }
  if (!first) return `${name} shows no money taken for this payment.`;
  if (heldCharges.length > 1)
    return `${name} shows more than one charge for this payment. Void or refund the others there, then press Check now.`;
  if (first.state !== 'approved') return `${name} has not decided on this payment yet.`;
  if (first.amountCents !== attempt.amountCents)
    return `${name} shows a different amount from the one requested. Void or refund it there, then press Check now.`;
  const otherPayment = await findLedgerPayment(db, attempt, first.id);
  return otherPayment && otherPayment.id !== attempt.id ? 'This charge belongs to another payment in our books.' : null;
}
