import { type Charge, heldCents } from '../gateway/truth.ts';
import type { AttemptRow } from './attempts.ts';
import { isBeyondHold, type Scene } from './scene.ts';

/** Rules that must hold after days of quiet, in which nothing failed and the schedule ran. */

type Rule = (scene: Scene) => string[];

const isWithAPerson = ({ state }: AttemptRow) => state === 'needs_human';

const inTheBooks: Rule = (scene) =>
  scene.attempts.flatMap((attempt) => {
    const charges = countedCharges(scene, attempt);
    const held = charges.reduce(
      (sum, charge) => sum + (isCounted(charge.method, charge.state) ? heldCents(charge) : 0),
      0,
    );
    const booked = scene.ledger
      .filter(({ attempt_id }) => attempt_id === attempt.id)
      .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
    if (isWithAPerson(attempt) || held === booked) return [];
    const open = scene.reversals.some(({ attempt_id, state }) => attempt_id === attempt.id && state === 'needs_human');
    if (open) return [];
    const late = charges.some((charge) => isBeyondHold(charge, attempt));
    return [
      `I3: the gateway holds ${held} cents for an attempt in ${attempt.state}, the ledger ${booked}${late ? ' (charged after its hold)' : ''}`,
    ];
  });

/** Of a charge and the gateway's copy of it, only the booked one counts; the other awaits a person. */
function countedCharges(scene: Scene, attempt: AttemptRow): Charge[] {
  const booked = new Set(scene.ledger.map(({ provider_txn_id }) => provider_txn_id));
  const twins = Map.groupBy(scene.chargesOf(attempt), ({ id, copyOf }) => copyOf ?? id);
  return [...twins.values()].flatMap(
    (both) => both.find(({ id }) => booked.has(id)) ?? both.find(({ copyOf }) => copyOf === null) ?? [],
  );
}

/** A bank debit counts once it has settled. */
const isCounted = (method: string, state: string) => method !== 'ach' || state === 'settled';

const nothingOpen: Rule = ({ attempts, reversals, outbox, chargesOf }) => [
  ...attempts
    .filter(({ state }) => state === 'sent' || state === 'unknown')
    .map(({ state }) => `I9: an attempt is still ${state}`),
  ...attempts
    .filter((attempt) => attempt.state === 'pending')
    .filter((attempt) => !chargesOf(attempt).some(({ state }) => state === 'pending' || state === 'settling'))
    .map(() => 'I9: a bank payment is still pending, and the gateway has decided on it'),
  ...reversals
    .filter(({ state }) => state === 'sent' || state === 'unknown')
    .map(({ state }) => `I9: a reversal is still ${state}`),
  ...outbox.filter(({ state }) => state === 'due').map(({ id }) => `I9: mail ${id} is still owed`),
];

const receipts: Rule = (scene) => {
  const { attempts, ledger, outbox, mails } = scene;
  return attempts
    .filter((attempt) => attempt.receipt_to !== '' && !wasPerhapsMailed(scene, attempt))
    .flatMap(({ id }) => {
      const isBooked = ledger.some(({ attempt_id, kind }) => attempt_id === id && kind === 'payment');
      const left = mails.filter(({ key }) => key === `receipt-${id}`).length;
      const isGivenUp = outbox.some((mail) => mail.id === `receipt-${id}` && mail.state === 'failed');
      return isBooked && left === 0 && !isGivenUp ? [`I7: an approved payment has no receipt`] : [];
    });
};

const DAY = 86_400_000;
/** Charged before a restore and found a day later or more: its receipt may have been sent under a forgotten key. */
const wasPerhapsMailed = ({ restoredAt, chargesOf }: Scene, attempt: AttemptRow): boolean =>
  restoredAt !== null && chargesOf(attempt).some(({ at }) => at < restoredAt && (attempt.settled_at ?? 0) - at >= DAY);

/** A charge whose attempt was lost in a restore has an attempt again. */
const nothingLost: Rule = ({ truth, asked, attemptOf }) =>
  truth.charges
    .filter((charge) => charge.copyOf === null && heldCents(charge) > 0)
    .filter(({ orderId }) => asked.has(orderId ?? '') && !attemptOf(orderId))
    .map(({ id }) => `I2: charge ${id} was lost with a restore, and is not found again`);

/** D 51: no payment waits for a person if a program may decide it. */
const nobodyWaitsInVain: Rule = (scene) =>
  scene.attempts
    .filter((attempt) => isWithAPerson(attempt) && isFree(scene, attempt))
    .map(() => 'L: an attempt waits for a person, and nothing speaks against it');

const LIVE = ['sent', 'unknown', 'pending', 'approved', 'needs_human', 'refunded'];

function isFree(scene: Scene, attempt: AttemptRow): boolean {
  const charges = scene.chargesOf(attempt).filter(({ state }) => state !== 'declined');
  const [charge] = charges;
  if (attempt.needs_human_from !== 'unknown' || scene.resolved.has(attempt.id)) return false;
  if (!charge || charges.length > 1 || charge.amountCents !== attempt.amount_cents) return false;
  if (charge.method === 'ach' ? charge.state !== 'settled' : charge.state !== 'approved') return false;
  if (scene.truth.reversals.some(({ ofId }) => ofId === charge.id)) return false;
  // Two invoices with the same number and amount look like one sale to the gateway, and to us. A charge refunded in the
  // provider's pages is still listed as approved, and its refund need not be filed under the key.
  const others = scene.truth.charges.filter(({ id, invoice }) => id !== charge.id && invoice === attempt.dedupe_key);
  if (others.some(({ state }) => !['declined', 'voided', 'returned'].includes(state))) return false;
  return !scene.attempts.some(
    (other) =>
      other.id !== attempt.id &&
      other.invoice_id === attempt.invoice_id &&
      other.collection === attempt.collection &&
      LIVE.includes(other.state),
  );
}

const rules: Rule[] = [inTheBooks, nothingLost, nothingOpen, receipts, nobodyWaitsInVain];

export const violationsAtTheEnd = (scene: Scene): string[] => rules.flatMap((rule) => rule(scene));
