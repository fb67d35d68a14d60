import { formatMoney, ONLINE_CURRENCY } from '#shared/money';
import { localDay } from '#shared/text/local-day';
import type { InvoiceRow } from '#worker/data/invoices/invoices';
import { RELEASE_WINDOW_MS } from '#worker/data/payable-conditions';
import { LIVE_ATTEMPT_STATES } from '#worker/data/payments/attempts';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { type AuditDeps, auditEvent } from '#worker/domain/audit/event';
import { acceptsMorePayments } from '#worker/domain/invoices/invoice-balance';
import { causeOf } from '#worker/log';
import { inquirePaymentStatus } from './inquire-status.ts';

/** The answer to a payer that follows from an earlier attempt. */
export type AttemptAnswer =
  | { kind: 'approved' | 'submitted' | 'declined'; attempt: Attempt }
  /** `own`: the request's own attempt. */
  | { kind: 'pending'; own?: Attempt }
  | { kind: 'already-paid' | 'token-refused' | 'at-the-desk' };

/** The answer that earlier attempts on this invoice, or with this token or key, imply. Null if none conflicts. */
export async function answerFromEarlier(
  deps: Deps,
  payable: Payable,
  attempts: Attempt[],
  tokenHash: string,
  attemptKey: string | undefined,
): Promise<AttemptAnswer | null> {
  const { accountId, invoiceId } = payable.link;
  const sameTokenAttempt = attempts.find((attempt) => attempt.tokenHash === tokenHash);
  if (sameTokenAttempt && (sameTokenAttempt.accountId !== accountId || sameTokenAttempt.invoiceId !== invoiceId))
    return { kind: 'token-refused' };
  if (sameTokenAttempt) return answerFor(await refreshAttempt(deps, sameTokenAttempt), true);
  const foundAttempt = await findBlockingAttempt(deps, attempts, payable.invoice, attemptKey);
  return foundAttempt && answerFor(foundAttempt, isSameSubmission(foundAttempt, attemptKey));
}

/** The columns of an invoice that determine which of its attempts keep it closed. */
export type CollectionStatus = Pick<InvoiceRow, 'localStatus' | 'partBaseCents'>;

/**
 * The attempt that keeps an invoice closed now, in any collection. An open attempt is first checked at the gateway.
 * Null if there is none. While more is owed, an approved payment does not close the invoice; it counts only for the
 * submission (`attemptKey`) that made it.
 */
export async function findBlockingAttempt(
  deps: Deps,
  attempts: Attempt[],
  invoice: CollectionStatus,
  attemptKey?: string,
): Promise<Attempt | null> {
  const keepsClosed = (attempt: Attempt) => keepsInvoiceClosed(attempt, invoice, attemptKey);
  const liveAttempt = attempts.find(keepsClosed);
  if (!liveAttempt) return null;
  const currentAttempt = await refreshAttempt(deps, liveAttempt);
  return keepsClosed(currentAttempt) ? currentAttempt : null;
}

/** True if an attempt keeps its invoice closed. */
export const keepsInvoiceClosed = (attempt: Attempt, invoice: CollectionStatus, attemptKey?: string): boolean =>
  LIVE_ATTEMPT_STATES.includes(attempt.state) &&
  (attempt.state !== 'approved' || !acceptsMorePayments(invoice) || isSameSubmission(attempt, attemptKey));

/**
 * The refusal of a payment while an attempt that was released as not charged may still show up. In that attempt's
 * collection only its own amount and method may be claimed, because the gateway accepts those only once under its key.
 * Null if no such attempt conflicts with `request`.
 */
export function refusalAfterRelease(
  attempts: Attempt[],
  request: Pick<Attempt, 'amountCents' | 'collection' | 'method' | 'part' | 'createdAt'>,
): { kind: 'part-refused'; message: string } | null {
  const releasedAttempt = attempts.find(
    ({ state, settledAt, collection, part, method, amountCents, needsHumanFrom }) =>
      state === 'not_charged' &&
      (settledAt ?? 0) > request.createdAt - RELEASE_WINDOW_MS &&
      (collection === request.collection
        ? part === request.part && (amountCents !== request.amountCents || method !== request.method)
        : needsHumanFrom === ''),
  );
  if (!releasedAttempt) return null;
  const amount = formatMoney(releasedAttempt.amountCents, ONLINE_CURRENCY);
  return {
    kind: 'part-refused',
    message: `An earlier payment of ${amount} may still go through. Please try again tomorrow.`,
  };
}

/** The methods that a payment may use now, given the released attempts. */
export const allowedMethods = (
  attempts: Attempt[],
  request: Omit<Parameters<typeof refusalAfterRelease>[1], 'method'>,
): Attempt['method'][] => METHODS.filter((method) => !refusalAfterRelease(attempts, { ...request, method }));

const METHODS: Attempt['method'][] = ['card', 'ach'];

const isSameSubmission = (attempt: Attempt, attemptKey: string | undefined) =>
  attemptKey !== undefined && attempt.attemptKey === attemptKey;

/** Settles an open attempt if the gateway knows its outcome. If that cannot be written, the attempt stays open. */
export async function refreshAttempt(deps: Deps, attempt: Attempt): Promise<Attempt> {
  if (attempt.state !== 'unknown' && attempt.state !== 'sent') return attempt;
  try {
    return await inquirePaymentStatus(deps, attempt);
  } catch (cause) {
    deps.log.info('status-inquiry-failed', { attemptId: attempt.id, cause: causeOf(cause) });
    return attempt;
  }
}

/** The answer to a request that follows from an attempt. `isSame`: the attempt is the request's own. */
export function answerFor(attempt: Attempt, isSame: boolean): AttemptAnswer {
  switch (attempt.state) {
    case 'approved':
      return isSame ? { kind: 'approved', attempt } : { kind: 'already-paid' };
    case 'declined':
    case 'returned':
      return { kind: 'declined', attempt };
    case 'rejected':
    case 'not_charged':
    case 'cancelled':
    case 'timed_out':
    case 'voided':
    case 'refunded':
      return { kind: 'token-refused' };
    case 'pending':
      return isSame ? { kind: 'submitted', attempt } : { kind: 'pending' };
    case 'sent':
    case 'unknown':
    case 'needs_human':
      if (attempt.channel === 'terminal') return { kind: 'at-the-desk' };
      return isSame ? { kind: 'pending', own: attempt } : { kind: 'pending' };
  }
}

type NewAttemptFacts = Pick<Attempt, 'channel' | 'method' | 'terminalId' | 'amountCents'> & {
  invoice: InvoiceRow;
  /** The number of the part within its collection; a full payment is part 1. */
  part: number;
  timeZone: string;
  /** The timeout for the gateway's answer (ms). */
  timeoutMs: number;
  /** The time of the first check for a missing answer (ms after creation). */
  checkAfterMs: number;
};

/**
 * The gateway charges a key only once. The key contains the CRM's invoice id instead of the invoice number, because two
 * invoices may share a number and a number may change. Parts of the same amount have separate keys; otherwise the
 * second would get the answer to the first.
 */
const dedupeKeyOf = ({ invoiceId, collection }: InvoiceRow, part: number) =>
  `${invoiceId}-${collection}${part > 1 ? `.${part}` : ''}`;

/** The initial columns of a new attempt, on any channel. */
export function newAttempt(
  { settings, newId, newCapability, now }: Deps,
  { invoice, part, timeZone, timeoutMs, checkAfterMs, ...rest }: NewAttemptFacts,
) {
  const createdAt = now();
  return {
    ...rest,
    id: newId(),
    accountId: invoice.accountId,
    invoiceId: invoice.invoiceId,
    collection: invoice.collection,
    part,
    currency: invoice.currency,
    invoiceNumber: invoice.number,
    dedupeKey: dedupeKeyOf(invoice, part),
    receiptId: newCapability(),
    receiptTo: invoice.contactEmail,
    state: 'sent' as const,
    holdUntil: createdAt + Math.max(settings.HOLD_MS, 3 * timeoutMs),
    nextCheckAt: createdAt + checkAfterMs,
    createdAt,
    timeZone,
    day: localDay(createdAt, timeZone),
  };
}

type NewAttempt = ReturnType<typeof newAttempt>;

/** The event of an attempt that is about to be sent. */
export const claimEvent = (
  deps: AuditDeps,
  { id, accountId, invoiceId, collection, amountCents, channel }: NewAttempt,
) =>
  auditEvent(deps, {
    accountId,
    action: 'payment.claimed',
    subject: ['payment', id],
    after: { invoice: invoiceId, collection, amountCents, channel },
  });

/** The event of a claim that is undone because nothing was sent. */
export const releaseEvent = (deps: AuditDeps, { id, accountId, amountCents }: NewAttempt) =>
  auditEvent(deps, {
    accountId,
    action: 'payment.moved',
    subject: ['payment', id],
    before: { state: 'sent' },
    after: { state: 'rejected', amountCents },
  });
