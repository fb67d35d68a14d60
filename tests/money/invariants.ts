import { type Charge, collectionKey, dedupeKey, type Records, readRecords } from './records.ts';
import { type Answer, type Bill, type TestWorker, tokenHash } from './test-worker.ts';

/**
 * Rules about money that must hold after every experiment, read from three sides: the Worker's D1, the gateway, and
 * the answers to payers. Each rule returns one sentence per violation.
 */

type Seen = Records & { answers: Answer[] };
type Rule = (seen: Seen) => string[];

const MOVES = new Set([
  ' sent',
  // Only for a charge that is found again after its row was lost.
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

const count = <T>(rows: T[], isOne: (row: T) => boolean) => rows.filter(isOne).length;
const chargesOf = ({ charges }: Seen, bill: Bill): Charge[] =>
  charges.filter(({ invoice }) => collectionKey(invoice) === dedupeKey(bill));

const sumOf = (cents: number[]): number => cents.reduce((sum, one) => sum + one, 0);

/** The sum of a bill's parts that were charged or may still be (cents). */
const liveCents = ({ attempts }: Seen, bill: Bill): number =>
  sumOf(
    attempts
      .filter(({ invoice_id, state }) => invoice_id === bill.id && MAY_BE_CHARGED.has(state))
      .map(({ amount_cents }) => amount_cents),
  );

const askedFor = ({ attempts }: Seen, bill: Bill, charge: Charge): number | undefined =>
  bill.inParts ? attempts.find(({ id }) => id === charge.order_id)?.amount_cents : bill.amountCents;

/** True if a person must decide; until then the charge counts neither as in the ledger nor as lost. */
const isWithAPerson = ({ attempts }: Seen, charge: Charge): boolean => {
  const own = attempts.find(({ id }) => id === charge.order_id);
  return own?.state === 'needs_human';
};

export const rules: Record<string, Rule> = {
  'I1 one charge for an invoice or a part, and no more than the invoice comes to in parts': (seen) => [
    ...[...new Set(seen.charges.map(({ invoice }) => invoice))].flatMap((key) => {
      const n = count(seen.charges, ({ invoice }) => invoice === key);
      return n > 1 ? [`${key} was charged ${n} times`] : [];
    }),
    ...seen.bills.flatMap((bill) => {
      if (!bill.inParts) return [];
      const [charged, live] = [
        sumOf(chargesOf(seen, bill).map(({ amountCents }) => amountCents)),
        liveCents(seen, bill),
      ];
      return [
        ...(charged > bill.amountCents ? [`${bill.number} of ${bill.amountCents} was charged ${charged}`] : []),
        ...(live > bill.amountCents ? [`${bill.number} of ${bill.amountCents} has live parts of ${live}`] : []),
      ];
    }),
  ],

  'I2 every charge is in the ledger once, and nothing else is': (seen) => [
    ...seen.charges.flatMap((charge) => {
      const n = count(seen.ledger, (row) => row.provider_txn_id === charge.id);
      return n === 1 || (n === 0 && isWithAPerson(seen, charge)) ? [] : [`charge ${charge.id} has ${n} ledger rows`];
    }),
    ...seen.ledger.flatMap((row) => {
      const charge = seen.charges.find(({ id }) => id === row.provider_txn_id);
      if (!charge) return [`ledger row ${row.provider_txn_id} has no charge`];
      return charge.order_id === row.attempt_id
        ? []
        : [`ledger row ${row.provider_txn_id} names an attempt that did not make it`];
    }),
  ],

  'I3 ledger and gateway add up to the same': (seen) => {
    const booked = seen.ledger.reduce((sum, row) => sum + row.amount_cents, 0);
    const charged = seen.charges.reduce(
      (sum, charge) => sum + (isWithAPerson(seen, charge) ? 0 : charge.amountCents),
      0,
    );
    return booked === charged ? [] : [`the ledger has ${booked} cents, the gateway ${charged}`];
  },

  'I4 attempts move only as the state machine allows': (seen) => [
    ...seen.moves
      .filter(({ was, became }) => !MOVES.has(`${was} ${became}`))
      .map(({ was, became }) => `a move from ${was} to ${became}`),
    ...seen.attempts.flatMap(({ id, state }) => {
      const last = seen.moves.findLast(({ attempt_id }) => attempt_id === id);
      return last?.became === state ? [] : [`an attempt stands in ${state} that moved to ${last?.became}`];
    }),
  ],

  'I5 what a payer was told holds for ever': (seen) => seen.answers.flatMap((answer) => broken(seen, answer)),

  'I6 an invoice counts as paid exactly when a payment was approved': (seen) =>
    seen.bills.flatMap(({ id, inParts, amountCents }) => {
      const localStatus = seen.localStatuses.get(id);
      const isPaid = localStatus === 'paid';
      const approved = seen.attempts.filter((attempt) => attempt.invoice_id === id && attempt.state === 'approved');
      const isApproved = inParts ? sumOf(approved.map((one) => one.amount_cents)) === amountCents : approved.length > 0;
      return isPaid === isApproved ? [] : [`invoice ${id}: local status ${localStatus}, approved ${isApproved}`];
    }),

  'I7 one receipt for an approved payment, none for another': (seen) => [
    ...seen.bills.flatMap((bill) => {
      const mails = count(seen.mails, ({ to }) => to === bill.email);
      const approved = count(
        seen.attempts,
        (attempt) => attempt.invoice_id === bill.id && attempt.state === 'approved',
      );
      return mails === approved ? [] : [`${bill.email} got ${mails} receipts for ${approved} payments`];
    }),
    ...seen.outbox.flatMap(({ attempt_id, state }) => {
      const attempt = seen.attempts.find(({ id }) => id === attempt_id);
      return attempt?.state === 'approved' && state === 'sent'
        ? []
        : [`a mail ${state} for an attempt ${attempt?.state}`];
    }),
  ],

  'I8 the amount charged is the balance in the CRM, or the part that was asked for': (seen) =>
    seen.bills.flatMap((bill) =>
      chargesOf(seen, bill)
        .filter((charge) => charge.amountCents !== askedFor(seen, bill, charge) && !isWithAPerson(seen, charge))
        .map((charge) => `${bill.number} of ${bill.amountCents} was charged ${charge.amountCents}`),
    ),

  'I9 nothing stays open': (seen) =>
    seen.attempts
      .filter(({ state }) => state === 'sent' || state === 'unknown')
      .map(({ id, state }) => `attempt ${id} is still ${state}`),
};

/** "Successful" means charged; any text but success and "being confirmed" means that this card was not charged. */
function broken(seen: Seen, { status, body, bill, token }: Answer): string[] {
  const own = seen.attempts.find(({ token_hash }) => token_hash === tokenHash(token));
  const charge = own && seen.charges.find(({ order_id }) => order_id === own.id);
  if (status === 200) {
    const id = body?.payload.transaction?.id;
    return chargesOf(seen, bill).some((one) => one.id === id)
      ? []
      : [`${bill.number}: success for the unknown charge ${id}`];
  }
  if (status === 0 || status === 202 || !charge) return [];
  return [`${bill.number}: the payer was told ${status} and was charged ${charge.id}`];
}

/** All violations, each sentence under the name of its rule. */
export async function violations(testWorker: TestWorker, records?: Records): Promise<string[]> {
  const seen: Seen = { ...(records ?? (await readRecords(testWorker))), answers: testWorker.answers };
  return Object.entries(rules).flatMap(([name, rule]) => rule(seen).map((what) => `${name}: ${what}`));
}

/** Rules that must hold at any instant, during any fault. */
const ALWAYS = ['I1', 'I4', 'I6', 'I8'];

export async function violationsNow(testWorker: TestWorker): Promise<string[]> {
  const seen: Seen = { ...(await readRecords(testWorker)), answers: testWorker.answers };
  const partial = seen.attempts.flatMap(({ id, state }) => {
    const rows = count(seen.ledger, (row) => row.attempt_id === id);
    const mails = count(seen.outbox, (row) => row.attempt_id === id);
    const expected = state === 'approved' ? 1 : 0;
    return rows === expected && mails === expected
      ? []
      : [`attempt ${state} has ${rows} ledger rows and ${mails} mails`];
  });
  const always = Object.entries(rules).filter(([name]) => ALWAYS.includes(name.slice(0, 2)));
  return [...partial, ...always.flatMap(([name, rule]) => rule(seen).map((what) => `${name}: ${what}`))];
}
