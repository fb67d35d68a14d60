import { localDay, localHour } from '#shared/text/local-day';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import { receiptMailId } from '#worker/data/mail/outbox';
import { type Guard, type Settlement, writeSettlement } from '#worker/data/payments/attempts';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { type AuditDeps, auditEvent } from '#worker/domain/audit/event';
import { mayHaveBeenMailed } from '#worker/domain/merchants/after-restore';
import { causeOf } from '#worker/log';
import type { ChargeOutcome, GatewayTransaction, TerminalSaleOutcome } from '#worker/vendors/gateway-port';
import { momentOfMoney } from './moment-of-money.ts';

/** Pauses between the first status inquiries (ms), and the pause after them. */
const FIRST_PAUSES_MS = [2_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000];
const LAST_PAUSE_MS = 600_000;

export const nextCheckAfter = (checks: number): number => FIRST_PAUSES_MS[checks] ?? LAST_PAUSE_MS;

/** A bank debit takes days, so its settlement is checked every few hours (ms). */
export const ACH_CHECK_MS = 4 * 3_600_000;
/** A bank may return a debit long after it settled, so it is checked once a day (ms). */
export const ACH_RETURN_CHECK_MS = 24 * 3_600_000;
/** After this time (ms), an attempt that counts as not charged is looked up once more to find a late success. */
export const FINAL_CHECK_MS = 24 * 3_600_000;

/**
 * Codes of a failed address or security-code check. They are hidden, because the issuer's reason helps a card tester
 * more than a payer.
 */
const HIDDEN_CODES = new Set(['021', '046', '047', '048']);
const GENERIC_DECLINE = { message: 'Your card was declined.', providerCode: '023' };

/** The reason for a decline that may be shown. The error next to a transaction may have a general code of its own. */
export function declineToShow(decline: { message: string; providerCode: string }, txn: GatewayTransaction | null) {
  const isFailedCheck = [decline.providerCode, txn?.providerCode ?? ''].some((code) => HIDDEN_CODES.has(code));
  const { message, providerCode } = isFailedCheck ? GENERIC_DECLINE : decline;
  return { message: message || GENERIC_DECLINE.message, providerCode };
}

/** The fields of a gateway transaction that we keep. */
type TransactionFacts = Pick<
  GatewayTransaction,
  'id' | 'authCode' | 'brand' | 'lastFour' | 'maskedCard' | 'result' | 'avsResult' | 'cscResult' | 'feeCents'
> &
  Partial<Pick<GatewayTransaction, 'createdAt' | 'changedAt'>>;

/** The next state of an attempt, with the facts to write. */
export type Move = Pick<Settlement, 'to' | 'from'> & {
  at: number;
  nextCheckAt?: number | null;
  txn?: TransactionFacts | null;
  exchangeId?: string;
  message?: string;
  providerCode?: string;
  refusal?: Attempt['refusal'];
  /** The person's reason for the decision. */
  note?: string;
  /** Set when a person decided it. */
  decision?: Pick<NonNullable<Settlement['resolution']>, 'id' | 'verdict' | 'resolvedBy'>;
  /** The gateway shows a charge under this attempt's key, and may accept another one under it. */
  isKeySpent?: boolean;
};

/** The fields of an attempt that a settlement needs; all others are in its row. */
export type SettledAttempt = Pick<
  Attempt,
  'id' | 'accountId' | 'invoiceId' | 'collection' | 'amountCents' | 'currency' | 'channel' | 'method' | 'timeZone'
> &
  Partial<Pick<Attempt, 'createdAt'>>;

/** The move that follows from the gateway's answer to a charge. */
export function moveFor(outcome: ChargeOutcome | TerminalSaleOutcome, at: number): Move {
  switch (outcome.kind) {
    case 'approved':
      return approvalMove(outcome.txn, ['sent', 'unknown'], at, outcome.exchangeId);
    case 'pending': {
      const { txn, exchangeId } = outcome;
      return { to: 'pending', from: ['sent', 'unknown'], at, txn, exchangeId, nextCheckAt: at + ACH_CHECK_MS };
    }
    case 'declined': {
      const { txn, exchangeId } = outcome;
      return { to: 'declined', from: ['sent', 'unknown'], at, txn, exchangeId, ...declineToShow(outcome, txn) };
    }
    // The card reader ended the sale itself, so it was certainly not charged.
    case 'cancelled':
    case 'no-card-in-time': {
      const { exchangeId, message, providerCode } = outcome;
      const to = outcome.kind === 'cancelled' ? 'cancelled' : 'timed_out';
      const nextCheckAt = at + FINAL_CHECK_MS;
      return { to, from: ['sent', 'unknown'], at, exchangeId, message, providerCode, nextCheckAt };
    }
    case 'rejected':
      return rejectionMove(outcome, at, outcome.reason === 'token' ? '' : outcome.reason);
    case 'busy':
    case 'offline':
      return rejectionMove(outcome, at, outcome.kind);
    // Without a readable answer in time, the card may have been charged, so a status inquiry follows.
    case 'unknown': {
      const { exchangeId, cause } = outcome;
      const nextCheckAt = at + nextCheckAfter(0);
      return { to: 'unknown', from: ['sent'], at, exchangeId, message: cause.slice(0, 200), nextCheckAt };
    }
  }
}

const rejectionMove = (
  { message, providerCode }: { message: string; providerCode: string },
  at: number,
  refusal: Move['refusal'],
): Move => ({ to: 'rejected', from: ['sent'], at, message, providerCode, refusal });

export const approvalMove = (txn: GatewayTransaction, from: Move['from'], at: number, exchangeId = ''): Move => ({
  to: 'approved',
  from,
  at,
  txn,
  exchangeId,
  message: '',
  providerCode: txn.providerCode,
});

type Consequences = Pick<Settlement, 'ledgerEntry' | 'payerMail' | 'onlyIf' | 'isKeySpent'>;

/**
 * Consequences of an attempt's new state: the ledger entry, the email to the payer, and whether the invoice needs
 * another key. All other states have none, because no money moved. A database trigger derives the invoice's status from
 * its payments.
 */
export function consequencesOf(attempt: SettledAttempt, { to, from, at, txn, isKeySpent }: Move): Consequences {
  const receiptId = receiptMailId(attempt.id);
  switch (to) {
    case 'approved':
      if (!txn) return {};
      return {
        ledgerEntry: ledgerEntry(attempt, txn, at, 'payment'),
        payerMail: payerMail(attempt, receiptId, at),
        onlyIf: 'in-ledger',
      };
    case 'returned':
      if (!txn) return {};
      // It was never booked, so the payer may pay again at once. The page told them not to, so an email corrects that.
      // The gateway may still count its key.
      if (!from.includes('approved'))
        return { isKeySpent: true, payerMail: payerMail(attempt, `returned-${attempt.id}`, at, 'debit-returned') };
      return {
        ledgerEntry: ledgerEntry(attempt, txn, at, 'return'),
        payerMail: payerMail(attempt, `${receiptId}-return`, at),
        onlyIf: 'in-ledger',
      };
    case 'not_charged':
      // A person's decision about a bank debit, or about a charge that was reversed elsewhere.
      return { isKeySpent: from.includes('needs_human') && (attempt.method === 'ach' || isKeySpent === true) };
    default:
      return {};
  }
}

function ledgerEntry(attempt: SettledAttempt, txn: TransactionFacts, learnedAt: number, kind: 'payment' | 'return') {
  // A bank moves the money days after the debit was submitted.
  const at = momentOfMoney(attempt, attempt.method === 'ach' ? txn.changedAt : txn.createdAt, learnedAt);
  const { id, accountId, invoiceId, currency, channel, method, amountCents } = attempt;
  const isReturn = kind === 'return';
  return {
    accountId,
    attemptId: id,
    invoiceId,
    currency,
    channel,
    method,
    kind,
    brand: txn.brand,
    providerTxnId: isReturn ? `${txn.id}-return` : txn.id,
    amountCents: isReturn ? -amountCents : amountCents,
    at,
    day: localDay(at, attempt.timeZone),
    hour: isReturn ? null : localHour(at, attempt.timeZone),
  };
}

const payerMail = (
  { id, accountId, invoiceId }: SettledAttempt,
  mailId: string,
  at: number,
  kind: 'receipt' | 'debit-returned' = 'receipt',
) => ({ id: mailId, kind, accountId, attemptId: id, invoiceId, nextTryAt: at, createdAt: at }) as const;

const UNSETTLED_STATES: Move['to'][] = ['unknown', 'pending'];

/** A move as it is stored, with the attempt's own columns and all consequences. */
function settlementOf(attempt: SettledAttempt, move: Move): Settlement {
  const { to, from, at, txn, exchangeId, message, providerCode, refusal, decision } = move;
  const watchFrom = to === 'approved' && attempt.method === 'ach' ? at + ACH_RETURN_CHECK_MS : null;
  const txnColumns = txn && {
    providerTxnId: txn.id,
    authCode: txn.authCode,
    cardBrand: txn.brand,
    cardLastFour: txn.lastFour,
    cardMasked: txn.maskedCard,
    result: txn.result,
    avsResult: txn.avsResult,
    cscResult: txn.cscResult,
    feeCents: txn.feeCents,
  };
  return {
    to,
    from,
    columns: {
      nextCheckAt: move.nextCheckAt ?? watchFrom,
      ...(!UNSETTLED_STATES.includes(to) && { settledAt: at }),
      // From now on `emptyChecks` counts lookups of the debit.
      ...(to === 'pending' && { emptyChecks: 0 }),
      ...txnColumns,
      ...(exchangeId && { exchangeId }),
      ...(message !== undefined && { message }),
      ...(providerCode !== undefined && { providerCode }),
      ...(refusal !== undefined && { refusal }),
    },
    ...(decision && {
      resolution: { ...decision, accountId: attempt.accountId, attemptId: attempt.id, note: move.note ?? '', at },
    }),
    ...consequencesOf(attempt, move),
  };
}

/** Settles an attempt: writes the move with all consequences, or nothing if it was already made or `guard` fails. */
export async function settle(deps: SettleDeps, attempt: SettledAttempt, move: Move, guard?: Guard) {
  // A payment is booked in the time zone in which it was made; the account's zone may have changed before a return.
  const timeZone = move.to === 'returned' ? await findTimeZone(deps.db, attempt.accountId) : attempt.timeZone;
  const settlement = settlementOf({ ...attempt, timeZone }, move);
  // A return before booking has no ledger entry; the bank's time of the return is earlier than ours.
  const returnedAt = move.to === 'returned' ? Math.min(move.at, move.txn?.changedAt ?? move.at) : move.at;
  const eventAt = settlement.ledgerEntry?.at ?? returnedAt;
  if (await mayHaveBeenMailed(deps, attempt.accountId, { since: eventAt, at: move.at })) delete settlement.payerMail;
  return writeSettlement(deps.db, attempt, settlement, moveEvent(deps, attempt, move), guard);
}

export type SettleDeps = AuditDeps & Pick<Deps, 'db' | 'settings'>;

/** The event of a move. It omits `before`, because the row itself records the actual previous state. */
const moveEvent = (deps: AuditDeps, { id, accountId, amountCents }: SettledAttempt, move: Move) =>
  auditEvent(deps, {
    accountId,
    action: move.from.includes('needs_human') ? 'payment.resolved' : 'payment.moved',
    subject: ['payment', id],
    after: { state: move.to, amountCents, code: move.providerCode || undefined, note: move.note },
  });

/**
 * Writes the gateway's answer to a charge, once, and returns the updated attempt. Null if the write failed; a status
 * inquiry then finds the charge by its order id.
 */
export async function settleCharge(
  deps: Deps,
  attempt: SettledAttempt,
  outcome: ChargeOutcome | TerminalSaleOutcome,
): Promise<Attempt | null> {
  const move = moveFor(outcome, deps.now());
  const writeMove = () => settle(deps, attempt, move);
  try {
    // An interrupted write may have succeeded. Repeating it is harmless, since a move is made only once.
    const settlement = await writeMove().catch(writeMove);
    deps.log.info('payment-settled', { attemptId: attempt.id, to: move.to, exchangeId: move.exchangeId ?? '' });
    return settlement.attempt ?? null;
  } catch (cause) {
    deps.log.info('settle-failed', { attemptId: attempt.id, to: move.to, cause: causeOf(cause) });
    return null;
  }
}
