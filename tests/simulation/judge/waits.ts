import { isOfTheLine } from '../engine/network.ts';
import { type Charge, heldCents, type Truth } from '../gateway/truth.ts';
import type { Outage } from '../world/story.ts';
import type { World } from '../world/world.ts';
import type { AttemptRow } from './attempts.ts';
import type {} from './scene.ts';

/** Time in ms, without outages, that a payer with a charged card waited for the result. */
export type Wait = {
  ms: number;
  /** True if neither the gateway nor the line had a fault between the charge and the result. */
  isAnswered: boolean;
  /** True if the payment awaited a person at any time. */
  isWithAPerson: boolean;
  /** For such a payment, why only a person may decide it; null if a program may. */
  onlyAPerson: string | null;
  /** False: the page gave up first, and the wait lasts until then. */
  isTold: boolean;
};

/**
 * The waits of payers at open pages, from the gateway's charge to the displayed result. Excluded are payers who closed
 * the page before the charge, and runs in which all pages close with the last move.
 */
export function waitsOf({ gateway, story, requestedBy, engine, database }: World): Wait[] {
  if (!story.pagesStayOpen()) return [];
  return gateway.truth().charges.flatMap((charge) => {
    const request = requestedBy.get(charge.orderId ?? '');
    const page = story.pages.find((known) => known.request === request);
    const isPaid = charge.method === 'card' && charge.state !== 'declined' && charge.copyOf === null;
    if (!isPaid || !page || page.until < charge.at) return [];
    const word = story.told.find(
      ({ at, said, of, invoiceId }) =>
        at >= charge.at &&
        said === 'paid' &&
        (of === null ? invoiceId === page.invoiceId : 'attemptId' in of && of.attemptId === charge.orderId),
    );
    const until = Math.min(word?.at ?? page.until, engine.now());
    const met = story.met.filter(({ at }) => at > charge.at && at <= until);
    const [attempt] = database.read<AttemptRow>('SELECT * FROM payment_attempts WHERE id = ?', charge.orderId ?? '');
    const escalated = database.read(
      "SELECT 1 FROM moves WHERE id = ? AND became = 'needs_human'",
      charge.orderId ?? '',
    );
    return [
      {
        ms: lengthWithout(story.outages, charge.at, until),
        isAnswered: !met.some(({ fault }) => fault.startsWith('gateway ') || isOfTheLine(fault)),
        isWithAPerson: escalated.length > 0,
        onlyAPerson: attempt && escalated.length > 0 ? speaksAgainst(gateway.truth(), charge, attempt, until) : null,
        isTold: word !== undefined,
      },
    ];
  });
}

/**
 * Why only a person may book a charge, by the gateway's records until that time (UTC ms); null: a program may. Other
 * reasons may also leave a payment to a person, but these waits count as usual.
 */
export function speaksAgainst(
  { charges, reversals }: Pick<Truth, 'charges' | 'reversals'>,
  charge: Charge,
  attempt: Pick<AttemptRow, 'amount_cents' | 'hold_until' | 'dedupe_key' | 'needs_human_from'>,
  until: number,
): string | null {
  const others = charges.filter(({ id, at }) => id !== charge.id && at <= until);
  if (charge.amountCents !== attempt.amount_cents) return 'charged with another amount';
  if (charge.at >= attempt.hold_until && attempt.needs_human_from !== 'unknown')
    return 'charged after the hold and the release';
  if (others.some(({ orderId, state }) => orderId === charge.orderId && state !== 'declined')) return 'charged twice';
  if (reversals.some(({ ofId, state, at }) => ofId === charge.id && state !== 'declined' && at <= until))
    return 'given back while they waited';
  if (others.some((other) => other.invoice === attempt.dedupe_key && heldCents(other) > 0))
    return 'another charge under its key';
  return null;
}

/** Ms from `from` to `until` less the outages, with overlaps counted once. */
export function lengthWithout(outages: Outage[], from: number, until: number): number {
  let [ms, seen] = [Math.max(0, until - from), from];
  for (const outage of outages.toSorted((a, b) => a.from - b.from)) {
    const begins = Math.max(seen, outage.from);
    const ends = Math.min(until, outage.until);
    if (ends <= begins) continue;
    ms -= ends - begins;
    seen = ends;
  }
  return ms;
}
