import { dedupeKey, type Records } from './records.ts';
import { type Bill, tokenHash } from './test-worker.ts';

/** An answer to a client about one try to pay, at once or in the end. */
export type Word = {
  bill: Bill;
  /** `paid` is about the invoice; `not-charged` is about this try only, or about the invoice if there is none. */
  said: 'paid' | 'not-charged' | 'open';
  /** The try: the payer's card token or the terminal sale's id. Null: the answer is about the invoice. */
  of: { token: string } | { saleId: string } | null;
  transaction: { id: string; amountCents: number } | null;
};

export const kinds = ['match', 'pending', 'mismatch', 'missing', 'duplicate', 'conflicting'] as const;
export type Kind = (typeof kinds)[number];
export type Joined = { bill: Bill; kind: Kind; why: string };

/**
 * Compares the answers to the clients of each invoice with its rows in the ledger and its charges at the gateway: one
 * verdict per invoice, the worst that applies.
 */
export function joinAll(words: Word[], records: Records): Joined[] {
  const attemptOf = new Map(records.attempts.map(({ id, token_hash }) => [token_hash ?? id, id]));
  return records.bills.map((bill) => ({ bill, ...joinOne(bill, { words, records, attemptOf }) }));
}

type Sides = { words: Word[]; records: Records; attemptOf: Map<string, string> };

function joinOne(bill: Bill, { words, records, attemptOf }: Sides): { kind: Kind; why: string } {
  const charges = records.charges.filter(({ invoice }) => invoice === dedupeKey(bill));
  const rows = records.ledger.filter(({ invoice_id }) => invoice_id === bill.id);
  const own = words.filter((word) => word.bill.id === bill.id);
  const [charge] = charges;
  const [row] = rows;
  if (charges.length > 1 || rows.length > 1) {
    return { kind: 'duplicate', why: `${charges.length} charges, ${rows.length} ledger rows` };
  }
  if (!charge !== !row) return { kind: 'missing', why: charge ? 'no ledger row' : 'no charge' };
  for (const { said, of, transaction } of own) {
    if (said === 'paid' && !charge) return { kind: 'missing', why: 'a client was told that it is paid' };
    const isOfCharge = of === null || attemptIdOf(of, attemptOf) === charge?.order_id;
    if (said === 'not-charged' && charge && isOfCharge) {
      return { kind: 'conflicting', why: 'a client was told that nothing was charged' };
    }
    if (said === 'paid' && transaction && transaction.id !== charge?.id) {
      return { kind: 'conflicting', why: `a client was told of ${transaction.id}` };
    }
    if (transaction && transaction.amountCents !== charge?.amountCents) {
      return { kind: 'mismatch', why: `a client was told ${transaction.amountCents}` };
    }
  }
  if (charge && row) {
    const told = `gateway ${charge.id} ${charge.amountCents}, ledger ${row.provider_txn_id} ${row.amount_cents}`;
    const isOne = charge.id === row.provider_txn_id && charge.order_id === row.attempt_id;
    const isRight = charge.amountCents === row.amount_cents && row.amount_cents === bill.amountCents;
    if (!isOne || !isRight) return { kind: 'mismatch', why: told };
  }
  return own.at(-1)?.said === 'open' ? { kind: 'pending', why: 'the last word is still open' } : MATCH;
}

const MATCH = { kind: 'match', why: '' } as const;

const attemptIdOf = (of: NonNullable<Word['of']>, attemptOf: Map<string, string>): string | undefined =>
  'saleId' in of ? of.saleId : attemptOf.get(tokenHash(of.token));

/**
 * The same records with an error planted in each of six invoices, to prove that the join notices. Returns how many of
 * them it names correctly, and how many others it names falsely.
 */
export function plantAndFind(words: Word[], records: Records): { planted: number; found: number; falsely: number } {
  const isPaid = (bill: Bill) => joinAll(words, { ...records, bills: [bill] })[0]?.kind === 'match';
  const paid = records.bills.filter((bill) => records.ledger.some((row) => row.invoice_id === bill.id) && isPaid(bill));
  const [lost, unmade, dear, twice, denied, promised] = paid;
  if (!lost || !unmade || !dear || !twice || !denied || !promised)
    throw new Error('too few payments to plant anything');
  const [again] = records.charges.filter(({ invoice }) => invoice === dedupeKey(twice));
  const ofDenied = records.charges.find(({ invoice }) => invoice === dedupeKey(denied));
  const changed: Records = {
    ...records,
    ledger: records.ledger
      .filter((row) => row.invoice_id !== lost.id)
      .map((row) => (row.invoice_id === dear.id ? { ...row, amount_cents: row.amount_cents + 1 } : row)),
    charges: [
      ...records.charges.filter(({ invoice }) => invoice !== dedupeKey(unmade)),
      ...(again ? [{ ...again, id: `${again.id}-again` }] : []),
    ],
  };
  const said: Word[] = [
    ...words,
    { bill: denied, said: 'not-charged', of: { saleId: ofDenied?.order_id ?? '' }, transaction: null },
    {
      bill: promised,
      said: 'paid',
      of: null,
      transaction: { id: 'of somebody else', amountCents: promised.amountCents },
    },
  ];
  const expected = new Map<Bill, Kind>([
    [lost, 'missing'],
    [unmade, 'missing'],
    [dear, 'mismatch'],
    [twice, 'duplicate'],
    [denied, 'conflicting'],
    [promised, 'conflicting'],
  ]);
  const before = new Map(joinAll(words, records).map(({ bill, kind }) => [bill, kind]));
  const after = joinAll(said, changed);
  return {
    planted: expected.size,
    found: after.filter(({ bill, kind }) => expected.get(bill) === kind).length,
    falsely: after.filter(({ bill, kind }) => !expected.has(bill) && before.get(bill) !== kind).length,
  };
}
