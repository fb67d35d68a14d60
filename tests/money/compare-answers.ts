import { dedupeKey, type Records } from './records.ts';
import { type Bill, tokenHash } from './test-worker.ts';

/** An answer to a client about one attempt to pay, either at once or at the end. */
export type ClientAnswer = {
  bill: Bill;
  /** `paid` is about the invoice; `not-charged` is about this request only, or about the invoice if it is null. */
  outcome: 'paid' | 'not-charged' | 'open';
  /** The payer's card token or the terminal sale's id. Null if the answer is about the invoice. */
  request: { token: string } | { saleId: string } | null;
  transaction: { id: string; amountCents: number } | null;
};

export const kinds = ['match', 'pending', 'mismatch', 'missing', 'duplicate', 'conflicting'] as const;
export type Kind = (typeof kinds)[number];
export type Comparison = { bill: Bill; kind: Kind; reason: string };

/**
 * Compares the answers to the clients of each invoice with its rows in the ledger and its charges at the gateway: one
 * verdict per invoice, the worst that applies.
 */
export function compareAll(clientAnswers: ClientAnswer[], records: Records): Comparison[] {
  const attemptOf = new Map(records.attempts.map(({ id, token_hash }) => [token_hash ?? id, id]));
  return records.bills.map((bill) => ({ bill, ...compareBill(bill, { clientAnswers, records, attemptOf }) }));
}

type Sides = { clientAnswers: ClientAnswer[]; records: Records; attemptOf: Map<string, string> };

function compareBill(bill: Bill, { clientAnswers, records, attemptOf }: Sides): { kind: Kind; reason: string } {
  const charges = records.charges.filter(({ invoice }) => invoice === dedupeKey(bill));
  const rows = records.ledger.filter(({ invoice_id }) => invoice_id === bill.id);
  const billAnswers = clientAnswers.filter((answer) => answer.bill.id === bill.id);
  const [charge] = charges;
  const [row] = rows;
  if (charges.length > 1 || rows.length > 1) {
    return { kind: 'duplicate', reason: `${charges.length} charges, ${rows.length} ledger rows` };
  }
  if (!charge !== !row) return { kind: 'missing', reason: charge ? 'no ledger row' : 'no charge' };
  for (const { outcome, request, transaction } of billAnswers) {
    if (outcome === 'paid' && !charge) return { kind: 'missing', reason: 'a client was told that the invoice is paid' };
    const isOfCharge = request === null || attemptIdOf(request, attemptOf) === charge?.order_id;
    if (outcome === 'not-charged' && charge && isOfCharge) {
      return { kind: 'conflicting', reason: 'a client was told that nothing was charged' };
    }
    if (outcome === 'paid' && transaction && transaction.id !== charge?.id) {
      return { kind: 'conflicting', reason: `a client was told of ${transaction.id}` };
    }
    if (transaction && transaction.amountCents !== charge?.amountCents) {
      return { kind: 'mismatch', reason: `a client was told ${transaction.amountCents}` };
    }
  }
  if (charge && row) {
    const figures = `gateway ${charge.id} ${charge.amountCents}, ledger ${row.provider_txn_id} ${row.amount_cents}`;
    const isSameCharge = charge.id === row.provider_txn_id && charge.order_id === row.attempt_id;
    const isSameAmount = charge.amountCents === row.amount_cents && row.amount_cents === bill.amountCents;
    if (!isSameCharge || !isSameAmount) return { kind: 'mismatch', reason: figures };
  }
  return billAnswers.at(-1)?.outcome === 'open' ? { kind: 'pending', reason: 'the last answer is still open' } : MATCH;
}

const MATCH = { kind: 'match', reason: '' } as const;

const attemptIdOf = (
  request: NonNullable<ClientAnswer['request']>,
  attemptOf: Map<string, string>,
): string | undefined => ('saleId' in request ? request.saleId : attemptOf.get(tokenHash(request.token)));

/**
 * Plants an error in each of six invoices to prove that the comparison notices it. Returns the number of errors that it
 * names correctly and the number of other invoices that it wrongly reports.
 */
export function plantErrors(
  clientAnswers: ClientAnswer[],
  records: Records,
): { planted: number; found: number; falseAlarms: number } {
  const isPaid = (bill: Bill) => compareAll(clientAnswers, { ...records, bills: [bill] })[0]?.kind === 'match';
  const paid = records.bills.filter((bill) => records.ledger.some((row) => row.invoice_id === bill.id) && isPaid(bill));
  const [withoutRow, withoutCharge, overbooked, doubleCharged, denied, promised] = paid;
  if (!withoutRow || !withoutCharge || !overbooked || !doubleCharged || !denied || !promised)
    throw new Error('too few payments to plant errors');
  const [copiedCharge] = records.charges.filter(({ invoice }) => invoice === dedupeKey(doubleCharged));
  const deniedCharge = records.charges.find(({ invoice }) => invoice === dedupeKey(denied));
  const changed: Records = {
    ...records,
    ledger: records.ledger
      .filter((row) => row.invoice_id !== withoutRow.id)
      .map((row) => (row.invoice_id === overbooked.id ? { ...row, amount_cents: row.amount_cents + 1 } : row)),
    charges: [
      ...records.charges.filter(({ invoice }) => invoice !== dedupeKey(withoutCharge)),
      ...(copiedCharge ? [{ ...copiedCharge, id: `${copiedCharge.id}-again` }] : []),
    ],
  };
  const changedAnswers: ClientAnswer[] = [
    ...clientAnswers,
    { bill: denied, outcome: 'not-charged', request: { saleId: deniedCharge?.order_id ?? '' }, transaction: null },
    {
      bill: promised,
      outcome: 'paid',
      request: null,
      transaction: { id: 'of another payer', amountCents: promised.amountCents },
    },
  ];
  const expected = new Map<Bill, Kind>([
    [withoutRow, 'missing'],
    [withoutCharge, 'missing'],
    [overbooked, 'mismatch'],
    [doubleCharged, 'duplicate'],
    [denied, 'conflicting'],
    [promised, 'conflicting'],
  ]);
  const originalKinds = new Map(compareAll(clientAnswers, records).map(({ bill, kind }) => [bill, kind]));
  const after = compareAll(changedAnswers, changed);
  return {
    planted: expected.size,
    found: after.filter(({ bill, kind }) => expected.get(bill) === kind).length,
    falseAlarms: after.filter(({ bill, kind }) => !expected.has(bill) && originalKinds.get(bill) !== kind).length,
  };
}
