import { type SettledAttempt, type Settlement, settleAttempt } from '../data/payments.ts';
import type { Attempt } from '../data/schema.ts';
import type { Deps } from '../deps.ts';
import { causeOf } from '../log.ts';
import type { ChargeOutcome, GatewayTransaction, TerminalSaleOutcome } from '../ports/gateway.ts';

/** Look again soon at first, then ever more seldom; after the last step the last pause repeats. */
const CHECK_AFTER_MS = [2_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000];

export const nextCheckAfter = (checks: number): number =>
  CHECK_AFTER_MS[Math.min(checks, CHECK_AFTER_MS.length - 1)] ?? 0;

/** A bank debit takes days; its settlement is asked for every few hours. */
export const ACH_CHECK_MS = 4 * 3_600_000;

/** What was taken not to have happened is looked at once more after this: a late success must not go unseen. */
export const LAST_LOOK_MS = 24 * 3_600_000;

/** The issuer's reason for a failed address or security-code check helps a card tester more than a payer. */
const COLLAPSED_CODES = new Set(['021', '046', '047', '048']);
const DECLINED = { message: 'Your card was declined.', providerCode: '023' };

/**
 * Write what the gateway said of an attempt, once, and answer the attempt as it stands afterwards. Null: it could not be
 * written; the attempt is then found again by its order id.
 */
export async function settleCharge(
  deps: Deps,
  attempt: SettledAttempt,
  outcome: ChargeOutcome | TerminalSaleOutcome,
): Promise<Attempt | null> {
  const move = moveFor(outcome, deps.now());
  try {
    // A write that was cut off may have happened; repeating it is harmless, since a move is made once.
    const settled = await settleAttempt(deps.db, attempt, move).catch(() => settleAttempt(deps.db, attempt, move));
    deps.log.info('payment-settled', { attemptId: attempt.id, to: move.to, exchangeId: move.exchangeId ?? '' });
    return settled.attempt ?? null;
  } catch (cause) {
    deps.log.alert('settle-failed', { attemptId: attempt.id, to: move.to, cause: causeOf(cause) });
    return null;
  }
}

function moveFor(outcome: ChargeOutcome | TerminalSaleOutcome, at: number): Settlement {
  switch (outcome.kind) {
    case 'approved':
      return approval(outcome.txn, ['sent', 'unknown'], at, outcome.exchangeId);
    case 'pending':
      return {
        to: 'pending',
        from: ['sent', 'unknown'],
        at,
        txn: outcome.txn,
        exchangeId: outcome.exchangeId,
        nextCheckAt: at + ACH_CHECK_MS,
      };
    case 'declined': {
      const shown = COLLAPSED_CODES.has(outcome.providerCode) ? DECLINED : outcome;
      return {
        to: 'declined',
        from: ['sent', 'unknown'],
        at,
        txn: outcome.txn,
        exchangeId: outcome.exchangeId,
        message: shown.message || DECLINED.message,
        providerCode: shown.providerCode,
      };
    }
    case 'cancelled':
    case 'timed-out':
      return {
        to: outcome.kind === 'cancelled' ? 'cancelled' : 'timed_out',
        from: ['sent', 'unknown'],
        at,
        exchangeId: outcome.exchangeId,
        message: outcome.message,
        providerCode: outcome.providerCode,
        nextCheckAt: at + LAST_LOOK_MS,
      };
    case 'rejected':
      return rejection(outcome, at, outcome.reason === 'token' ? '' : outcome.reason);
    case 'busy':
    case 'offline':
      return rejection(outcome, at, outcome.kind);
    case 'unknown':
      return {
        to: 'unknown',
        from: ['sent'],
        at,
        exchangeId: outcome.exchangeId,
        message: outcome.cause.slice(0, 200),
        nextCheckAt: at + nextCheckAfter(0),
      };
  }
}

const rejection = (
  { message, providerCode }: { message: string; providerCode: string },
  at: number,
  refusal: Settlement['refusal'],
): Settlement => ({ to: 'rejected', from: ['sent'], at, message, providerCode, refusal });

export const approval = (
  txn: GatewayTransaction,
  from: Settlement['from'],
  at: number,
  exchangeId = '',
): Settlement => ({ to: 'approved', from, at, txn, exchangeId, message: '', providerCode: txn.providerCode });
