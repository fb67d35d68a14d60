import { type Charge, heldCents, type VisibleAt } from '../gateway/truth.ts';
import type { WireRequest } from '../vendor.ts';
import type { World } from '../world/world.ts';
import type { AttemptRow } from './attempts.ts';
import type { MoveRow, Scene } from './scene.ts';

const LIVE = ['sent', 'unknown', 'pending', 'approved', 'needs_human', 'refunded'];
const RELEASED = "('not_charged', 'cancelled', 'timed_out')";

/**
 * A payment may leave `needs_human` without a person only if nothing contradicts its charge. Our own records are
 * checked at that moment; the gateway's only as far as all of its indexes have shown them since before the look-up.
 */
export function decisionWatch() {
  /** Time of a task's last look-up of an attempt (UTC ms): concurrent tasks decide by their own look-ups. */
  const lookUps = new Map<string, number>();
  return {
    sent({ engine }: World, { url }: WireRequest, call: string) {
      const orderId = url.searchParams.get('order-id');
      if (orderId && call.endsWith('find')) lookUps.set(`${engine.task()?.name} ${orderId}`, engine.now());
    },

    violations(world: World, scene: () => Scene, moves: MoveRow[]): string[] {
      const decided = moves.filter(
        ({ what, id, was, became }) =>
          what === 'payment_attempts' && was === 'needs_human' && became === 'approved' && !isAPersonsWord(world, id),
      );
      if (decided.length === 0) return [];
      return decided.flatMap(({ id }) => {
        const attempt = scene().attempts.find((known) => known.id === id);
        const since = lookUps.get(`${world.writer} ${id}`) ?? world.engine.now();
        if (!attempt) return [];
        const wasStale = world.story.met.some(({ fault, at }) => fault === 'gateway stale' && at >= since);
        return [
          ...ownSide(world, scene(), attempt),
          ...(wasStale ? [] : gatewaySide(scene(), attempt, (seen) => Math.max(seen.order, seen.invoice) <= since)),
        ].map((why) => `D: a payment before a person is booked without one, although ${why}`);
      });
    },
  };
}

/** True if a person resolved it, which is stored in the same write. */
const isAPersonsWord = ({ database }: World, id: string) =>
  database.read(
    `SELECT 1 FROM resolutions r JOIN payment_attempts a ON a.id = r.attempt_id
      WHERE a.id = ? AND r.verdict = 'charged' AND r.at = a.settled_at`,
    id,
  ).length > 0;

function ownSide({ database }: World, { attempts, resolved }: Scene, attempt: AttemptRow): string[] {
  const whys: string[] = [];
  const was = database.read(`SELECT 1 FROM moves WHERE id = ? AND became IN ${RELEASED}`, attempt.id);
  if (was.length > 0) whys.push('its invoice was released once');
  if (resolved.has(attempt.id)) whys.push('a person has decided on it');
  const others = attempts.filter(
    (other) =>
      other.id !== attempt.id && other.invoice_id === attempt.invoice_id && other.collection === attempt.collection,
  );
  if (others.some(({ state }) => LIVE.includes(state))) whys.push('another attempt of its invoice stands');
  const taken = database.read(
    "SELECT 1 FROM gateway_transactions WHERE parent_id = ? AND parent_id <> '' AND state <> 'declined'",
    attempt.provider_txn_id ?? '',
  );
  if (taken.length > 0) whys.push('the nightly run saw that it was given back');
  return whys;
}

function gatewaySide(scene: Scene, attempt: AttemptRow, isKnown: (seen: VisibleAt) => boolean): string[] {
  const { charges, reversals } = scene.truth;
  const stands = (charge: Charge) => charge.state !== 'declined' && isKnown(charge.visibleAt);
  const own = scene.chargesOf(attempt).filter(stands);
  const whys: string[] = [];
  if (own.length > 1) whys.push('it was charged more than once');
  if (own.some(({ state }) => state === 'voided')) whys.push('its charge is voided');
  const isBack = reversals.some(
    ({ ofId, kind, state, invoice, visibleAt }) =>
      // A refund filed under another invoice is visible only to the nightly reconciliation.
      invoice === attempt.dedupe_key &&
      kind === 'refund' &&
      state === 'approved' &&
      isKnown(visibleAt) &&
      own.some(({ id }) => id === ofId),
  );
  if (isBack) whys.push('its charge is refunded');
  const isForeign = charges.some(
    (charge) =>
      charge.invoice === attempt.dedupe_key && charge.orderId !== attempt.id && heldCents(charge) > 0 && stands(charge),
  );
  if (isForeign) whys.push('a foreign charge stands under its key');
  return whys;
}
