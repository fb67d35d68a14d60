import { nothingStandsAgainst } from '../data/before-a-person.ts';
import { claimCheck, findAttempt, settleAttempt } from '../data/payments.ts';
import type { Attempt } from '../data/schema.ts';
import type { Deps } from '../deps.ts';
import type { GatewayTransaction } from '../ports/gateway.ts';
import { approval, nextCheckAfter } from './settle-charge.ts';
import { type Sighting, sightCharge } from './sight-charge.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The gateway keeps a transaction for 90 days; whoever has not decided by then decides alone. */
const WATCHED_MS = 60 * DAY_MS;

/**
 * Look once more at an attempt that was put before a person, and book it where nothing speaks against it any longer: it
 * went there from `unknown` and was never released; exactly one approved charge of its amount stands under its order id,
 * neither voided nor refunded; no foreign charge stands under its dedupe key; no other attempt of its invoice and
 * collection is live, approved or refunded; no person has decided. All else stays with a person. Answers the attempt as it
 * stands afterwards.
 */
export async function decideWithoutPerson(deps: Deps, attempt: Attempt): Promise<Attempt> {
  if (attempt.needsHumanFrom !== 'unknown') return attempt;
  const { db, log } = deps;
  const at = deps.now();
  if (!(await claimCheck(db, attempt, at, nextLook(attempt, at))))
    return (await findAttempt(db, attempt.id)) ?? attempt;

  const sighting = await sightCharge(deps, attempt);
  const txn = sighting === 'unavailable' ? null : onlyCharge(sighting, attempt);
  if (txn) {
    const move = approval(txn, ['needs_human'], deps.now());
    const { moved } = await settleAttempt(db, attempt, move, nothingStandsAgainst(attempt, txn.id));
    if (moved) log.info('payment-reconciled', { attemptId: attempt.id, from: 'needs_human', to: 'approved' });
  }
  return (await findAttempt(db, attempt.id)) ?? attempt;
}

/** Soon at first, then ever more seldom; null when it is no longer worth asking. */
function nextLook({ checks, createdAt }: Attempt, at: number): number | null {
  const age = at - createdAt;
  if (age > WATCHED_MS) return null;
  return at + (age > DAY_MS ? HOUR_MS : nextCheckAfter(checks));
}

/** The one charge that stands for this attempt, if the gateway shows nothing that contradicts it. */
function onlyCharge({ own, foreign, all }: Sighting, attempt: Attempt): GatewayTransaction | null {
  const [txn, ...others] = own.filter(({ state }) => state !== 'declined');
  if (txn?.state !== 'approved' || others.length > 0) return null;
  if (txn.amountCents !== attempt.amountCents) return null;
  if (txn.isVoided || all.some(({ parentId, state }) => parentId === txn.id && state !== 'declined')) return null;
  return foreign.length > 0 ? null : txn;
}
