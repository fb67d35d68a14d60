import { claimCheck, findAttempt } from '#worker/data/payments/attempts';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { findByAnyTerminal } from './ask-any-terminal.ts';
import { cameToNothing } from './look-up-charge.ts';
import { ACH_RETURN_CHECK_MS, settle } from './settle.ts';

/** A consumer may have a debit returned for 60 days after it was settled; the gateway keeps it for 90. */
const WATCHED_MS = 65 * 86_400_000;

const asking = ({ accountId, terminalId: first, checks: turn }: Attempt) => ({ accountId, first, turn });

/** Ask whether a bank debit that was settled came back after all; answers the attempt as it is afterwards. */
export async function watchAchReturn(deps: Deps, attempt: Attempt): Promise<Attempt> {
  const { db, log, now } = deps;
  if (attempt.method !== 'ach') return attempt;
  const at = now();
  const next = at + ACH_RETURN_CHECK_MS;
  const until = (attempt.settledAt ?? attempt.createdAt) + WATCHED_MS;
  const isClaimed = await claimCheck(db, attempt, at, next > until ? null : next);
  const found = isClaimed
    ? await findByAnyTerminal(deps, asking(attempt), 'ach', { attemptId: attempt.id })
    : 'unavailable';
  const txn =
    found === 'unavailable'
      ? undefined
      : // One that is marked as voided is booked as a void, by the comparison with the gateway's list.
        found.find((own) => own.id === attempt.providerTxnId && !own.isVoided && cameToNothing(own));
  if (txn) {
    const { message, providerCode } = txn;
    const settled = await settle(deps, attempt, {
      to: 'returned',
      // What was refunded goes a second time: the bank knows nothing of it.
      from: ['approved', 'refunded'],
      at: now(),
      txn,
      message,
      providerCode,
    });
    if (settled.moved)
      log.alert('bank-debit-returned-late', { accountId: attempt.accountId, attemptId: attempt.id, providerCode });
  }
  return (await findAttempt(db, attempt.id)) ?? attempt;
}
