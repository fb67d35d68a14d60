import { type Charge, heldCents } from '../gateway/truth.ts';
import type { AttemptRow } from './attempts.ts';
import { isBeyondHold, type Scene } from './scene.ts';

/** Rules that must hold after days of quiet without faults, in which the schedule ran. */

type Rule = (scene: Scene) => string[];

const isInReview = ({ state }: AttemptRow) => state === 'needs_human';

const bookedAsHeld: Rule = (scene) =>
  scene.attempts.flatMap((attempt) => {
    const charges = countedCharges(scene, attempt);
    const gatewayCents = charges.reduce(
      (sum, charge) => sum + (isCounted(charge.method, charge.state) ? heldCents(charge) : 0),
      0,
    );
    const ledgerCents = scene.ledger
      .filter(({ attempt_id }) => attempt_id === attempt.id)
      .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
    if (isInReview(attempt) || gatewayCents === ledgerCents) return [];
    const open = scene.reversals.some(({ attempt_id, state }) => attempt_id === attempt.id && state === 'needs_human');
    if (open) return [];
    const late = charges.some((charge) => isBeyondHold(charge, attempt));
    return [
      `I3: the gateway holds ${gatewayCents} cents for an attempt in ${attempt.state}, the ledger ${ledgerCents}${late ? ' (charged after its hold)' : ''}`,
    ];
  });

/** Of a charge and its copy at the gateway, only the booked one counts; the other awaits a person. */
function countedCharges(scene: Scene, attempt: AttemptRow): Charge[] {
  const booked = new Set(scene.ledger.map(({ provider_txn_id }) => provider_txn_id));
  const byOriginal = Map.groupBy(scene.chargesOf(attempt), ({ id, copyOf }) => copyOf ?? id);
  return [...byOriginal.values()].flatMap(
    (copies) => copies.find(({ id }) => booked.has(id)) ?? copies.find(({ copyOf }) => copyOf === null) ?? [],
  );
}

/** A bank debit counts once it has settled. */
const isCounted = (method: string, state: string) => method !== 'ach' || state === 'settled';

const allDecided: Rule = ({ attempts, reversals, outbox, chargesOf }) => [
  ...attempts
    .filter(({ state }) => state === 'sent' || state === 'unknown')
    .map(({ state }) => `I9: an attempt is still ${state}`),
  ...attempts
    .filter((attempt) => attempt.state === 'pending')
    .filter((attempt) => !chargesOf(attempt).some(({ state }) => state === 'pending' || state === 'settling'))
    .map(() => 'I9: a bank payment is still pending, and the gateway has decided it'),
  ...reversals
    .filter(({ state }) => state === 'sent' || state === 'unknown')
    .map(({ state }) => `I9: a reversal is still ${state}`),
  ...outbox.filter(({ state }) => state === 'due').map(({ id }) => `I9: mail ${id} is still owed`),
];

const receipts: Rule = (scene) => {
  const { attempts, ledger, outbox, mails } = scene;
  return attempts
    .filter((attempt) => attempt.receipt_to !== '' && !mayHaveBeenMailed(scene, attempt))
    .flatMap(({ id }) => {
      const isBooked = ledger.some(({ attempt_id, kind }) => attempt_id === id && kind === 'payment');
      const sentCount = mails.filter(({ key }) => key === `receipt-${id}`).length;
      const isGivenUp = outbox.some((mail) => mail.id === `receipt-${id}` && mail.state === 'failed');
      return isBooked && sentCount === 0 && !isGivenUp ? [`I7: an approved payment has no receipt`] : [];
    });
};

const DAY = 86_400_000;
/** Charged before a restore and settled a day or more later: the mail service may have forgotten the receipt's key. */
const mayHaveBeenMailed = ({ restoredAt, chargesOf }: Scene, attempt: AttemptRow): boolean =>
  restoredAt !== null && chargesOf(attempt).some(({ at }) => at < restoredAt && (attempt.settled_at ?? 0) - at >= DAY);

/** A charge whose attempt was lost in a restore has an attempt again. */
const noneLost: Rule = ({ truth, requestedAttempts, attemptOf }) =>
  truth.charges
    .filter((charge) => charge.copyOf === null && heldCents(charge) > 0)
    .filter(({ orderId }) => requestedAttempts.has(orderId ?? '') && !attemptOf(orderId))
    .map(({ id }) => `I2: charge ${id} was lost in a restore and not found again`);

/** D 51: no payment waits for a person if a program may decide it. */
const noNeedlessReview: Rule = (scene) =>
  scene.attempts
    .filter((attempt) => isInReview(attempt) && isDecidable(scene, attempt))
    .map(() => 'L: an attempt waits for a person, and nothing speaks against it');

const LIVE = ['sent', 'unknown', 'pending', 'approved', 'needs_human', 'refunded'];

function isDecidable(scene: Scene, attempt: AttemptRow): boolean {
  const charges = scene.chargesOf(attempt).filter(({ state }) => state !== 'declined');
  const [charge] = charges;
  if (attempt.needs_human_from !== 'unknown' || scene.resolved.has(attempt.id)) return false;
  if (!charge || charges.length > 1 || charge.amountCents !== attempt.amount_cents) return false;
  if (charge.method === 'ach' ? charge.state !== 'settled' : charge.state !== 'approved') return false;
  if (scene.truth.reversals.some(({ ofId }) => ofId === charge.id)) return false;
  // Two invoices with the same number and amount look like one sale to the gateway and to the product. A charge
  // refunded in the provider's pages is still listed as approved, and its refund need not be filed under the key.
  const sameKey = scene.truth.charges.filter(({ id, invoice }) => id !== charge.id && invoice === attempt.dedupe_key);
  if (sameKey.some(({ state }) => !['declined', 'voided', 'returned'].includes(state))) return false;
  return !scene.attempts.some(
    ({ id, invoice_id, collection, state }) =>
      id !== attempt.id &&
      invoice_id === attempt.invoice_id &&
      collection === attempt.collection &&
      LIVE.includes(state),
  );
}

const rules: Rule[] = [bookedAsHeld, noneLost, allDecided, receipts, noNeedlessReview];

export const finalViolations = (scene: Scene): string[] => rules.flatMap((rule) => rule(scene));
