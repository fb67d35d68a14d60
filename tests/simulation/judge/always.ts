import { type Charge, heldCents } from '../gateway/truth.ts';
import type { ShownMessage } from '../world/story.ts';
import type { AttemptRow } from './attempts.ts';
import { isBeyondHold, type LedgerRow, type MoveRow, type Scene } from './scene.ts';

/** Rules that must hold after every single step, even during faults. Each violation is one sentence. */

type Rule = (scene: Scene) => string[];

const ATTEMPT_MOVES = new Set(
  [
    ...['sent', 'sent approved', 'sent declined', 'sent rejected', 'sent pending', 'sent unknown', 'sent cancelled'],
    ...['sent timed_out', 'unknown approved', 'unknown declined', 'unknown pending', 'unknown not_charged'],
    ...['unknown needs_human', 'unknown cancelled', 'unknown timed_out', 'pending approved', 'pending returned'],
    ...['pending needs_human', 'needs_human returned', 'refunded approved'],
    ...['not_charged needs_human', 'cancelled needs_human', 'timed_out needs_human', 'needs_human approved'],
    ...['needs_human not_charged', 'needs_human voided', 'approved voided', 'approved refunded', 'approved returned'],
  ].map((move) => `payment_attempts ${move}`),
);
const REVERSAL_MOVES = new Set(
  [
    ...['sent', 'sent approved', 'sent refused', 'sent unknown', 'unknown approved', 'unknown refused'],
    ...['unknown not_done', 'unknown needs_human', 'not_done approved', 'not_done needs_human'],
    ...['needs_human approved', 'needs_human not_done', 'sent needs_human', 'approved not_done'],
  ].map((move) => `reversals ${move}`),
);

/**
 * I4: states change only along the state machine. `isRestored`: lost attempts may be created again in `needs_human`.
 */
export const illegalMoves = (moves: MoveRow[], isRestored = false): string[] =>
  moves
    .filter(({ what }) => what === 'payment_attempts' || what === 'reversals')
    .map(({ what, was, became }) => `${what} ${was ? `${was} ` : ''}${became}`)
    .filter((move) => !ATTEMPT_MOVES.has(move) && !REVERSAL_MOVES.has(move))
    .filter((move) => !(isRestored && move === 'payment_attempts needs_human'))
    .map((move) => `I4: moved ${move}`);

/** True for a charge that still holds a payer's money and is not a copy made by a gateway fault. */
const isHeldOriginal = (charge: Charge) => charge.copyOf === null && heldCents(charge) > 0;

/**
 * Cents that a charge held when its invoice was charged again. A refund that a person voids in the provider's pages
 * counted for the product until its books recorded the void.
 */
function heldAtClaim({ truth, attemptOf, reversals }: Scene, charge: Charge): number {
  const invoiceId = attemptOf(charge.orderId)?.invoice_id;
  const isChargedAgain = (from: number, to: number) =>
    truth.charges.some(
      ({ id, at, orderId }) =>
        id !== charge.id && at >= from && at <= to && attemptOf(orderId)?.invoice_id === invoiceId,
    );
  const learnedAt = (refundId: string): number => {
    const reversal = reversals.find(({ provider_txn_id }) => provider_txn_id === refundId);
    return reversal?.state === 'not_done' ? (reversal.settled_at ?? 0) : Number.POSITIVE_INFINITY;
  };
  const inEffect = truth.reversals.filter(
    ({ id, ofId, kind, state, at }) =>
      ofId === charge.id && kind === 'refund' && state === 'voided' && isChargedAgain(at, learnedAt(id)),
  );
  return heldCents(charge) - sumOf(inEffect.map(({ amountCents }) => amountCents));
}

const sumOf = (cents: number[]): number => cents.reduce((sum, amount) => sum + amount, 0);

const chargedOnce: Rule = (scene) => {
  const { truth, attemptOf, resolved } = scene;
  const byCollection = new Map<string, number>();
  for (const charge of truth.charges) {
    const attempt = isHeldOriginal(charge) ? attemptOf(charge.orderId) : undefined;
    // A person's decision stands even if it contradicts the gateway.
    if (!attempt || resolved.has(attempt.id) || isBeyondHold(charge, attempt)) continue;
    if (heldAtClaim(scene, charge) <= 0) continue;
    const key = `${attempt.invoice_id}, collection ${attempt.collection}, part ${attempt.part}`;
    byCollection.set(key, (byCollection.get(key) ?? 0) + 1);
  }
  return [...byCollection].filter(([, n]) => n > 1).map(([key, n]) => `I1: invoice ${key} is charged ${n} times`);
};

/** I1 in parts: charges up to a collection never exceed its base plus earlier payments. Overcharges do not count. */
const chargedUpToBase: Rule = (scene) => {
  const { truth, attemptOf, resolved, collections } = scene;
  return collections.flatMap(({ invoice_id, n, base_cents, paid_before_cents }) => {
    const chargedCents = truth.charges.reduce((sum, charge) => {
      const attempt = isHeldOriginal(charge) ? attemptOf(charge.orderId) : undefined;
      if (attempt?.invoice_id !== invoice_id || attempt.collection > n) return sum;
      return resolved.has(attempt.id) || isBeyondHold(charge, attempt)
        ? sum
        : sum + Math.min(heldAtClaim(scene, charge), attempt.amount_cents);
    }, 0);
    const total = paid_before_cents + base_cents;
    return chargedCents > total
      ? [`I1: ${chargedCents} of ${total} cents of invoice ${invoice_id} are charged up to collection ${n}`]
      : [];
  });
};

const bookedOnce: Rule = ({ attempts, ledger }) =>
  attempts.flatMap((attempt) => {
    const payments = ledger.filter(({ attempt_id, kind }) => attempt_id === attempt.id && kind === 'payment').length;
    const wasPaid = ['approved', 'voided', 'refunded'].includes(attempt.state);
    if (wasPaid === (payments === 1) && payments < 2) return [];
    // A debit may be returned before or after it was booked.
    if (attempt.state === 'returned' && payments < 2) return [];
    return [`I2: an attempt in state ${attempt.state} has ${payments} payments in the ledger`];
  });

const bookedAsCharged: Rule = (scene) => scene.ledger.flatMap((row) => wrongEntry(scene, row));

function wrongEntry({ truth, attempts }: Scene, row: LedgerRow): string[] {
  const attempt = attempts.find(({ id }) => id === row.attempt_id);
  if (!attempt) return ['I2: a ledger entry has no attempt'];
  // A payment voided after its refund: the void returned the rest.
  const voidedRefund = row.kind === 'void' ? /^(\d+)-void-payment$/.exec(row.provider_txn_id)?.[1] : undefined;
  if (voidedRefund) {
    const refund = truth.reversals.find(({ id }) => id === voidedRefund);
    const isVoided = refund?.state === 'voided' && -row.amount_cents === refund.amountCents;
    return isVoided ? [] : [`I2: ${row.provider_txn_id} is booked, but its refund was not voided`];
  }
  const id = row.provider_txn_id.replace(/-(void|refund|return)$/, '');
  const charge = truth.charges.find((candidate) => candidate.id === id);
  if (row.kind === 'payment') {
    if (charge?.orderId !== row.attempt_id) return [`I2: payment ${id} is booked for an attempt that did not make it`];
    if (charge.state === 'declined') return [`I2: declined payment ${id} is booked`];
    return charge.amountCents === row.amount_cents
      ? []
      : [`I3: payment ${id} is booked with ${row.amount_cents} cents and charged with ${charge.amountCents}`];
  }
  if (row.kind === 'return')
    return charge?.state === 'returned' ? [] : [`I2: return of ${id} is booked, but did not happen`];
  const reversal = truth.reversals.find((candidate) => candidate.id === id);
  if (row.kind === 'void' && charge?.state === 'voided') return [];
  // A refund voided at the gateway was booked while it was in effect, and reversed in the books since.
  if (row.kind === 'refund' && reversal?.state === 'voided' && Math.abs(row.amount_cents) === reversal.amountCents)
    return [];
  if (reversal?.state !== 'approved') return [`I2: ${row.kind} ${id} is booked, but did not happen`];
  return -row.amount_cents === reversal.amountCents
    ? []
    : [`I3: ${row.kind} ${id} is booked with ${-row.amount_cents} cents and was ${reversal.amountCents}`];
}

/** I5: a message shown to a person stays true, except for charges that the gateway made after the hold. */
const messagesStayTrue: Rule = (scene) =>
  scene.messages.flatMap((message) => {
    const { recipient, claim, subject, wording, at } = message;
    if (subject === null || (claim !== 'paid' && claim !== 'not-charged')) return [];
    const isMeant = ({ id, token_hash }: AttemptRow) =>
      'tokenHash' in subject ? token_hash === subject.tokenHash : id === subject.attemptId;
    // A restore may have lost its row; the message must still be true.
    const attempt = scene.attempts.find(isMeant) ?? [...scene.requestedAttempts.values()].find(isMeant);
    const charges = attempt ? scene.chargesOf(attempt) : [];
    if (claim === 'paid') {
      const isTrue = charges.some((charge) => charge.state !== 'declined' && charge.at <= at);
      return isTrue ? [] : [`I5: ${recipient} was told "${wording}" and was not charged`];
    }
    const isHeld = charges.some((charge) => isHeldOriginal(charge) && attempt && !isBeyondHold(charge, attempt));
    return isHeld && attempt && !scene.resolved.has(attempt.id) && concerns(scene, message, attempt)
      ? [`I5: ${recipient} was told "${wording}" and is charged`]
      : [];
  });

/**
 * A message about a request that was refused before its claim covers that request and earlier attempts. The same token,
 * sent again at that moment or later, belongs to another request.
 */
const concerns = ({ requestedBy }: Scene, { subject, request }: ShownMessage, attempt: AttemptRow) =>
  request === null ||
  (subject !== null && 'attemptId' in subject) ||
  attempt.created_at < request.at ||
  requestedBy.get(attempt.id) === request.name;

/**
 * I6: an invoice counts as paid exactly while money for it is kept, in any collection. In installments, the money kept
 * must reach the base, or the missing part was refunded after the last payment.
 */
const paidIfApproved: Rule = ({ invoices, attempts, collections }) =>
  invoices.flatMap(({ invoice_id, collection, local_status }) => {
    const invoiceAttempts = attempts.filter((attempt) => attempt.invoice_id === invoice_id);
    const keptCents = sumOf(
      invoiceAttempts
        .filter(({ state }) => state === 'approved')
        .map((attempt) => attempt.amount_cents - attempt.refunded_cents),
    );
    const base = collections.find(({ invoice_id: id, n }) => id === invoice_id && n === collection);
    if (!base) {
      return keptCents > 0 === (local_status === 'paid')
        ? []
        : [`I6: invoice ${invoice_id} counts as ${local_status}, and ${keptCents} cents of it are kept`];
    }
    const missing = base.paid_before_cents + base.base_cents - keptCents;
    const unvoided = invoiceAttempts.filter(({ state }) => state !== 'voided');
    const refunded = sumOf(unvoided.map((attempt) => attempt.refunded_cents));
    const refundedInCollection = sumOf(
      unvoided.filter((attempt) => attempt.collection === collection).map((attempt) => attempt.refunded_cents),
    );
    const isPaid = missing <= 0 || (local_status === 'paid' && refunded >= missing);
    if (isPaid === (local_status === 'paid') && (local_status !== 'refunded' || refundedInCollection > 0)) return [];
    return [`I6: invoice ${invoice_id} counts as ${local_status}, and ${missing} cents of it are missing`];
  });

/** I1 over all collections: an invoice that was never in installments keeps at most one charge. */
const chargedOnceInAll: Rule = (scene) => {
  const { truth, attemptOf, resolved, collections, invoices } = scene;
  return invoices.flatMap(({ invoice_id }) => {
    if (collections.some((candidate) => candidate.invoice_id === invoice_id)) return [];
    const heldCharges = truth.charges.filter((charge) => {
      const attempt = isHeldOriginal(charge) ? attemptOf(charge.orderId) : undefined;
      if (attempt?.invoice_id !== invoice_id || resolved.has(attempt.id) || isBeyondHold(charge, attempt)) return false;
      return heldAtClaim(scene, charge) > 0;
    });
    return heldCharges.length > 1 ? [`I1: invoice ${invoice_id} is charged ${heldCharges.length} times in all`] : [];
  });
};

/** I7: each mail is sent once, and a receipt only for booked money. */
const mailedOnce: Rule = (scene) => {
  // A receipt sent after its payment was voided has the text of the void's receipt, but these are two mails.
  const keys = scene.mails.map(({ key, to, text }) => key ?? `${to} ${text}`);
  return [
    ...keys
      .filter((key, index) => keys.indexOf(key) !== index)
      .map((key) => `I7: mail ${key.slice(0, 60)} was sent more than once`),
    ...keys
      .filter((key) => key.startsWith('receipt-') && !isMoneyBooked(scene, key.slice('receipt-'.length)))
      .map((key) => `I7: ${key} was sent, and no money is booked for it`),
  ];
};

/** `subject`: an attempt, its return, or a reversal. Receipts from before a restore may refer to lost rows. */
function isMoneyBooked({ ledger, reversals, mailRequestedAt, restoredAt }: Scene, subject: string): boolean {
  if (restoredAt !== null && (mailRequestedAt.get(`receipt-${subject}`) ?? restoredAt) < restoredAt) return true;
  const isBooked = (id: string, kind: string) => ledger.some((row) => row.attempt_id === id && row.kind === kind);
  if (subject.endsWith('-return')) return isBooked(subject.slice(0, -'-return'.length), 'return');
  const reversal = reversals.find(({ id }) => id === subject);
  return reversal ? isBooked(reversal.attempt_id, reversal.kind) : isBooked(subject, 'payment');
}

/** The product never refunds more than was charged. Refunds in the gateway's own pages do not count. */
const refundedUpToCharge: Rule = ({ truth }) =>
  truth.charges.flatMap((charge) => {
    const refunds = truth.reversals.filter(
      ({ ofId, kind, state, by }) =>
        ofId === charge.id && kind === 'refund' && state === 'approved' && by === 'product',
    );
    const sum = refunds.reduce((cents, { amountCents }) => cents + amountCents, 0);
    return sum > charge.amountCents ? [`I1: ${sum} of ${charge.amountCents} cents of ${charge.id} are refunded`] : [];
  });

/** A charge lost in a restore may be found as late as in quiet time: see `finally.ts`. */
const chargedByAnAttempt: Rule = ({ truth, attemptOf, requestedAttempts, restoredAt }) =>
  truth.charges
    .filter(
      (charge) => isHeldOriginal(charge) && /^[0-9a-f]{32}$/.test(charge.orderId ?? '') && !attemptOf(charge.orderId),
    )
    .filter(
      ({ orderId }) =>
        restoredAt === null || (requestedAttempts.get(orderId ?? '')?.created_at ?? restoredAt) >= restoredAt,
    )
    .map(({ id }) => `I2: charge ${id} has no attempt`);

const rules: Rule[] = [
  chargedOnce,
  chargedOnceInAll,
  chargedUpToBase,
  bookedOnce,
  bookedAsCharged,
  messagesStayTrue,
  paidIfApproved,
  mailedOnce,
  refundedUpToCharge,
  chargedByAnAttempt,
];

export const violationsNow = (scene: Scene): string[] => rules.flatMap((rule) => rule(scene));
