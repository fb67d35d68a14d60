import { type Charge, heldCents, type VisibleAt } from '../gateway/truth.ts';
import type { WireRequest } from '../vendor.ts';
import type { World } from '../world/world.ts';
import type { AttemptRow } from './attempts.ts';
import type { MoveRow, Scene } from './scene.ts';

const LIVE = ['sent', 'unknown', 'pending', 'approved', 'needs_human', 'refunded'];
const RELEASED = "('not_charged', 'cancelled', 'timed_out')";

/**
 * A payment may leave `needs_human` without a person only if nothing contradicts its charge. The product's records are
 * checked at that moment; the gateway's only as far as all of its indexes have shown them since before the look-up.
 */
export function decisionWatch() {
  /** Time of a task's last look-up of an attempt (UTC ms): concurrent tasks decide by their own look-ups. */
  const lookUps = new Map<string, number>();
  return {
    onSent({ engine }: World, { url }: WireRequest, call: string) {
      const orderId = url.searchParams.get('order-id');
      if (orderId && call.endsWith('find')) lookUps.set(`${engine.task()?.name} ${orderId}`, engine.now());
    },

    violations(world: World, scene: () => Scene, moves: MoveRow[]): string[] {
      const autoApproved = moves.filter(
        ({ what, id, was, became }) =>
          what === 'payment_attempts' &&
          was === 'needs_human' &&
          became === 'approved' &&
          !wasDecidedByPerson(world, id),
      );
      if (autoApproved.length === 0) return [];
      return autoApproved.flatMap(({ id }) => {
        const attempt = scene().attempts.find((candidate) => candidate.id === id);
        const since = lookUps.get(`${world.writer} ${id}`) ?? world.engine.now();
        if (!attempt) return [];
        const wasStale = world.story.faults.some(({ fault, at }) => fault === 'gateway stale' && at >= since);
        return [
          ...ownContradictions(world, scene(), attempt),
          ...(wasStale
            ? []
            : gatewayContradictions(scene(), attempt, (seen) => Math.max(seen.order, seen.invoice) <= since)),
        ].map((reason) => `D: a payment in manual review is booked automatically, although ${reason}`);
      });
    },
  };
}

/** True if a person resolved it, which is stored in the same write. */
const wasDecidedByPerson = ({ database }: World, id: string) =>
  database.read(
    `SELECT 1 FROM resolutions r JOIN payment_attempts a ON a.id = r.attempt_id
      WHERE a.id = ? AND r.verdict = 'charged' AND r.at = a.settled_at`,
    id,
  ).length > 0;

function ownContradictions({ database }: World, { attempts, resolved }: Scene, attempt: AttemptRow): string[] {
  const reasons: string[] = [];
  const releases = database.read(`SELECT 1 FROM moves WHERE id = ? AND became IN ${RELEASED}`, attempt.id);
  if (releases.length > 0) reasons.push('its invoice was once released');
  if (resolved.has(attempt.id)) reasons.push('a person has decided on it');
  const otherAttempts = attempts.filter(
    ({ id, invoice_id, collection }) =>
      id !== attempt.id && invoice_id === attempt.invoice_id && collection === attempt.collection,
  );
  if (otherAttempts.some(({ state }) => LIVE.includes(state))) reasons.push('another attempt of its invoice is live');
  const reversals = database.read(
    "SELECT 1 FROM gateway_transactions WHERE parent_id = ? AND parent_id <> '' AND state <> 'declined'",
    attempt.provider_txn_id ?? '',
  );
  if (reversals.length > 0) reasons.push('the nightly run saw its reversal');
  return reasons;
}

function gatewayContradictions(scene: Scene, attempt: AttemptRow, isKnown: (seen: VisibleAt) => boolean): string[] {
  const { charges, reversals } = scene.truth;
  const isKnownCharge = (charge: Charge) => charge.state !== 'declined' && isKnown(charge.visibleAt);
  const ownCharges = scene.chargesOf(attempt).filter(isKnownCharge);
  const reasons: string[] = [];
  if (ownCharges.length > 1) reasons.push('it was charged more than once');
  if (ownCharges.some(({ state }) => state === 'voided')) reasons.push('its charge is voided');
  const isRefunded = reversals.some(
    ({ ofId, kind, state, invoice, visibleAt }) =>
      // A refund filed under another invoice is visible only to the nightly reconciliation.
      invoice === attempt.dedupe_key &&
      kind === 'refund' &&
      state === 'approved' &&
      isKnown(visibleAt) &&
      ownCharges.some(({ id }) => id === ofId),
  );
  if (isRefunded) reasons.push('its charge is refunded');
  const isForeign = charges.some(
    (charge) =>
      charge.invoice === attempt.dedupe_key &&
      charge.orderId !== attempt.id &&
      heldCents(charge) > 0 &&
      isKnownCharge(charge),
  );
  if (isForeign) reasons.push('a foreign charge has its key');
  return reasons;
}
