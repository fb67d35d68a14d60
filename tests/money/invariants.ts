import { type Charge, collectionKey, dedupeKey, type Records, readRecords } from './records.ts';
import { type Answer, type Bill, type TestWorker, tokenHash } from './test-worker.ts';

/**
 * Rules about money that must hold after every experiment, checked against three sources: the Worker's database, the
 * gateway, and the answers to payers. Each rule returns one sentence per violation.
 */

type Facts = Records & { answers: Answer[] };
type Rule = (facts: Facts) => string[];

const MOVES = new Set([
  ' sent',
  // Only for a charge that is found after its row was lost.
  ' needs_human',
  'sent approved',
  'sent declined',
  'sent rejected',
  'sent pending',
  'sent unknown',
  'sent cancelled',
  'sent timed_out',
  'unknown approved',
  'unknown declined',
  'unknown pending',
  'unknown not_charged',
  'unknown needs_human',
  'unknown cancelled',
  'unknown timed_out',
  'pending approved',
  'pending returned',
  'not_charged needs_human',
  'cancelled needs_human',
  'timed_out needs_human',
  'needs_human approved',
]);

const MAY_BE_CHARGED = new Set(['sent', 'unknown', 'pending', 'approved']);

const count = <T>(rows: T[], isMatch: (row: T) => boolean) => rows.filter(isMatch).length;
const chargesOf = ({ charges }: Facts, bill: Bill): Charge[] =>
  charges.filter(({ invoice }) => collectionKey(invoice) === dedupeKey(bill));

const sumOf = (cents: number[]): number => cents.reduce((sum, amount) => sum + amount, 0);

/** The sum of a bill's parts that were charged or may still be (cents). */
const liveCents = ({ attempts }: Facts, bill: Bill): number =>
  sumOf(
    attempts
      .filter(({ invoice_id, state }) => invoice_id === bill.id && MAY_BE_CHARGED.has(state))
      .map(({ amount_cents }) => amount_cents),
  );

const requestedCents = ({ attempts }: Facts, bill: Bill, charge: Charge): number | undefined =>
  bill.inParts ? attempts.find(({ id }) => id === charge.order_id)?.amount_cents : bill.amountCents;

/** True if the charge is in manual review, where it counts neither as booked nor as lost. */
const isInReview = ({ attempts }: Facts, charge: Charge): boolean => {
  const attempt = attempts.find(({ id }) => id === charge.order_id);
  return attempt?.state === 'needs_human';
};

export const rules: Record<string, Rule> = {
  'I1 an invoice or a part has one charge, and parts never exceed the invoice': (facts) => [
    ...[...new Set(facts.charges.map(({ invoice }) => invoice))].flatMap((key) => {
      const n = count(facts.charges, ({ invoice }) => invoice === key);
      return n > 1 ? [`${key} was charged ${n} times`] : [];
    }),
    ...facts.bills.flatMap((bill) => {
      if (!bill.inParts) return [];
      const [charged, live] = [
        sumOf(chargesOf(facts, bill).map(({ amountCents }) => amountCents)),
        liveCents(facts, bill),
      ];
      return [
        ...(charged > bill.amountCents ? [`${bill.number} of ${bill.amountCents} was charged ${charged}`] : []),
        ...(live > bill.amountCents ? [`${bill.number} of ${bill.amountCents} has live parts of ${live}`] : []),
      ];
    }),
  ],

  'I2 the ledger has every charge exactly once and nothing else': (facts) => [
    ...facts.charges.flatMap((charge) => {
      const n = count(facts.ledger, (row) => row.provider_txn_id === charge.id);
      return n === 1 || (n === 0 && isInReview(facts, charge)) ? [] : [`charge ${charge.id} has ${n} ledger rows`];
    }),
    ...facts.ledger.flatMap((row) => {
      const charge = facts.charges.find(({ id }) => id === row.provider_txn_id);
      if (!charge) return [`ledger row ${row.provider_txn_id} has no charge`];
      return charge.order_id === row.attempt_id
        ? []
        : [`ledger row ${row.provider_txn_id} names an attempt that did not make it`];
    }),
  ],

  'I3 ledger and gateway have the same total': (facts) => {
    const booked = facts.ledger.reduce((sum, row) => sum + row.amount_cents, 0);
    const charged = facts.charges.reduce(
      (sum, charge) => sum + (isInReview(facts, charge) ? 0 : charge.amountCents),
      0,
    );
    return booked === charged ? [] : [`the ledger has ${booked} cents, the gateway ${charged}`];
  },

  'I4 attempts move only as the state machine allows': (facts) => [
    ...facts.moves
      .filter(({ was, became }) => !MOVES.has(`${was} ${became}`))
      .map(({ was, became }) => `a move from ${was} to ${became}`),
    ...facts.attempts.flatMap(({ id, state }) => {
      const last = facts.moves.findLast(({ attempt_id }) => attempt_id === id);
      return last?.became === state ? [] : [`an attempt is ${state}, but its last move was to ${last?.became}`];
    }),
  ],

  'I5 an answer to a payer stays true': (facts) => facts.answers.flatMap((answer) => falseAnswers(facts, answer)),

  'I6 an invoice counts as paid exactly when a payment was approved': (facts) =>
    facts.bills.flatMap(({ id, inParts, amountCents }) => {
      const localStatus = facts.localStatuses.get(id);
      const isPaid = localStatus === 'paid';
      const approved = facts.attempts.filter((attempt) => attempt.invoice_id === id && attempt.state === 'approved');
      const isApproved = inParts ? sumOf(approved.map((row) => row.amount_cents)) === amountCents : approved.length > 0;
      return isPaid === isApproved ? [] : [`invoice ${id}: local status ${localStatus}, approved ${isApproved}`];
    }),

  'I7 each approved payment has exactly one receipt, and no other payment has one': (facts) => [
    ...facts.bills.flatMap((bill) => {
      const mails = count(facts.mails, ({ to }) => to === bill.email);
      const approved = count(
        facts.attempts,
        (attempt) => attempt.invoice_id === bill.id && attempt.state === 'approved',
      );
      return mails === approved ? [] : [`${bill.email} got ${mails} receipts for ${approved} payments`];
    }),
    ...facts.outbox.flatMap(({ attempt_id, state }) => {
      const attempt = facts.attempts.find(({ id }) => id === attempt_id);
      return attempt?.state === 'approved' && state === 'sent'
        ? []
        : [`a mail ${state} for an attempt ${attempt?.state}`];
    }),
  ],

  'I8 the charged amount is the CRM balance or the requested part': (facts) =>
    facts.bills.flatMap((bill) =>
      chargesOf(facts, bill)
        .filter((charge) => charge.amountCents !== requestedCents(facts, bill, charge) && !isInReview(facts, charge))
        .map((charge) => `${bill.number} of ${bill.amountCents} was charged ${charge.amountCents}`),
    ),

  'I9 nothing stays open': (facts) =>
    facts.attempts
      .filter(({ state }) => state === 'sent' || state === 'unknown')
      .map(({ id, state }) => `attempt ${id} is still ${state}`),
};

/** Violations of I5: 200 means charged, and any answer except 200 and 202 means that this card was not charged. */
function falseAnswers(facts: Facts, { status, body, bill, token }: Answer): string[] {
  const attempt = facts.attempts.find(({ token_hash }) => token_hash === tokenHash(token));
  const charge = attempt && facts.charges.find(({ order_id }) => order_id === attempt.id);
  if (status === 200) {
    const id = body?.payload.transaction?.id;
    return chargesOf(facts, bill).some((billCharge) => billCharge.id === id)
      ? []
      : [`${bill.number}: success for the unknown charge ${id}`];
  }
  if (status === 0 || status === 202 || !charge) return [];
  return [`${bill.number}: the payer got ${status} although ${charge.id} was charged`];
}

/** All violations, each prefixed with the name of its rule. */
export async function violations(testWorker: TestWorker, records?: Records): Promise<string[]> {
  const facts: Facts = { ...(records ?? (await readRecords(testWorker))), answers: testWorker.answers };
  return Object.entries(rules).flatMap(([name, rule]) => rule(facts).map((text) => `${name}: ${text}`));
}

/** Rules that must hold at any instant, during any fault. */
const ALWAYS = ['I1', 'I4', 'I6', 'I8'];

/** Violations of the rules that must hold even during a fault, and settlements that were only partly written. */
export async function violationsNow(testWorker: TestWorker): Promise<string[]> {
  const facts: Facts = { ...(await readRecords(testWorker)), answers: testWorker.answers };
  const partial = facts.attempts.flatMap(({ id, state }) => {
    const rows = count(facts.ledger, (row) => row.attempt_id === id);
    const mails = count(facts.outbox, (row) => row.attempt_id === id);
    const expected = state === 'approved' ? 1 : 0;
    return rows === expected && mails === expected
      ? []
      : [`attempt ${state} has ${rows} ledger rows and ${mails} mails`];
  });
  const current = Object.entries(rules).filter(([name]) => ALWAYS.includes(name.slice(0, 2)));
  return [...partial, ...current.flatMap(([name, rule]) => rule(facts).map((text) => `${name}: ${text}`))];
}
