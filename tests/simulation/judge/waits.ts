import { isLineFault } from '../engine/network.ts';
import { type Charge, heldCents, type Truth } from '../gateway/truth.ts';
import type { Outage } from '../world/story.ts';
import type { World } from '../world/world.ts';
import type { AttemptRow } from './attempts.ts';
import type {} from './scene.ts';

/** Time in ms, without outages, that a payer with a charged card waited for the result. */
export type Wait = {
  ms: number;
  /** True if neither the gateway nor the line had a fault between the charge and the result. */
  isUndisturbed: boolean;
  /** True if the payment was in manual review at any time. */
  isInReview: boolean;
  /** For such a payment, why only a person may decide it; null if a program may. */
  manualReason: string | null;
  /** False if the page gave up first; the wait then lasts until that moment. */
  isResolved: boolean;
};

/**
 * The waits of payers at open pages, from the gateway's charge to the displayed result. Excluded are payers who closed
 * the page before the charge, and runs in which all pages close with the last move.
 */
export function waitsOf({ gateway, story, requestedBy, engine, database }: World): Wait[] {
  if (!story.pagesStayOpen()) return [];
  return gateway.truth().charges.flatMap((charge) => {
    const request = requestedBy.get(charge.orderId ?? '');
    const page = story.pages.find((candidate) => candidate.request === request);
    const isPaid = charge.method === 'card' && charge.state !== 'declined' && charge.copyOf === null;
    if (!isPaid || !page || page.until < charge.at) return [];
    const message = story.messages.find(
      ({ at, claim, subject, invoiceId }) =>
        at >= charge.at &&
        claim === 'paid' &&
        (subject === null
          ? invoiceId === page.invoiceId
          : 'attemptId' in subject && subject.attemptId === charge.orderId),
    );
    const until = Math.min(message?.at ?? page.until, engine.now());
    const faults = story.faults.filter(({ at }) => at > charge.at && at <= until);
    const [attempt] = database.read<AttemptRow>('SELECT * FROM payment_attempts WHERE id = ?', charge.orderId ?? '');
    const reviews = database.read("SELECT 1 FROM moves WHERE id = ? AND became = 'needs_human'", charge.orderId ?? '');
    return [
      {
        ms: msWithoutOutages(story.outages, charge.at, until),
        isUndisturbed: !faults.some(({ fault }) => fault.startsWith('createGateway ') || isLineFault(fault)),
        isInReview: reviews.length > 0,
        manualReason: attempt && reviews.length > 0 ? reviewReason(gateway.truth(), charge, attempt, until) : null,
        isResolved: message !== undefined,
      },
    ];
  });
}

/**
 * Why only a person may book a charge, by the gateway's records until that time (UTC ms); null: a program may. Other
 * reasons may also leave a payment to a person, but these waits count as usual.
 */
export function reviewReason(
  { charges, reversals }: Pick<Truth, 'charges' | 'reversals'>,
  charge: Charge,
  attempt: Pick<AttemptRow, 'amount_cents' | 'hold_until' | 'dedupe_key' | 'needs_human_from'>,
  until: number,
): string | null {
  const earlierCharges = charges.filter(({ id, at }) => id !== charge.id && at <= until);
  if (charge.amountCents !== attempt.amount_cents) return 'charged with another amount';
  if (charge.at >= attempt.hold_until && attempt.needs_human_from !== 'unknown')
    return 'charged after the hold and the release';
  if (earlierCharges.some(({ orderId, state }) => orderId === charge.orderId && state !== 'declined'))
    return 'charged twice';
  if (reversals.some(({ ofId, state, at }) => ofId === charge.id && state !== 'declined' && at <= until))
    return 'reversed during the wait';
  if (earlierCharges.some((candidate) => candidate.invoice === attempt.dedupe_key && heldCents(candidate) > 0))
    return 'another charge under its key';
  return null;
}

/** Ms from `from` to `until` less the outages, with overlaps counted once. */
export function msWithoutOutages(outages: Outage[], from: number, until: number): number {
  let [ms, coveredUntil] = [Math.max(0, until - from), from];
  for (const outage of outages.toSorted((a, b) => a.from - b.from)) {
    const start = Math.max(coveredUntil, outage.from);
    const end = Math.min(until, outage.until);
    if (end <= start) continue;
    ms -= end - start;
    coveredUntil = end;
  }
  return ms;
}
