import { INSTALLATION } from '#worker/data/schema/audit';
import type { Db } from '../db.ts';
import { prepare, type RawSql, rawSql } from '../raw-sql.ts';

/** What a sentence says of the row that an event is about. Amounts in cents; null: the row has none. */
export type Subject = {
  id: string;
  number: string;
  amountCents: number | null;
  currency: string | null;
  /** `void` or `refund` of a reversal. */
  kind: string | null;
  reason: string | null;
};

const payments = (accountId: number, ids: string): RawSql => rawSql`
  SELECT 'payment' AS about, a.id AS id, a.invoice_number AS number, a.amount_cents AS amountCents,
    a.currency AS currency, NULL AS kind, NULL AS reason
  FROM json_each(${ids}) w CROSS JOIN payment_attempts a ON a.id = w.value WHERE a.account_id = ${accountId}`;

const reversals = (accountId: number, ids: string): RawSql => rawSql`
  SELECT 'reversal' AS about, r.id AS id, a.invoice_number AS number, r.amount_cents AS amountCents,
    a.currency AS currency, r.kind AS kind, r.reason AS reason
  FROM json_each(${ids}) w CROSS JOIN reversals r ON r.id = w.value
    CROSS JOIN payment_attempts a ON a.id = r.attempt_id WHERE r.account_id = ${accountId}`;

const invoices = (accountId: number, ids: string): RawSql => rawSql`
  SELECT 'invoice' AS about, i.invoice_id AS id, i.number AS number, NULL AS amountCents, i.currency AS currency,
    NULL AS kind, NULL AS reason
  FROM json_each(${ids}) w CROSS JOIN invoices i ON i.account_id = ${accountId} AND i.invoice_id = w.value`;

const READS = { payment: payments, reversal: reversals, invoice: invoices };
const isRead = (kind: string): kind is keyof typeof READS => kind in READS;

/** The rows that these events are about, by `kind:id`, in one trip; none where no event is about such a row. */
export async function findSubjects(
  { $client: d1 }: Db,
  accountId: number,
  events: { subjectKind: string; subjectId: string }[],
): Promise<Map<string, Subject>> {
  const wanted = new Map<keyof typeof READS, Set<string>>();
  for (const { subjectKind, subjectId } of events) {
    if (!isRead(subjectKind)) continue;
    wanted.set(subjectKind, (wanted.get(subjectKind) ?? new Set()).add(subjectId));
  }
  if (wanted.size === 0) return new Map();
  const found = await d1.batch<Subject & { about: string }>(
    [...wanted].map(([kind, ids]) => prepare(d1, READS[kind](accountId, JSON.stringify([...ids])))),
  );
  return new Map(found.flatMap(({ results }) => results.map((row) => [`${row.about}:${row.id}`, row] as const)));
}

/** Ids that a text can mean: itself, and of an invoice's number the invoice with its payments and reversals. */
export async function idsMeantBy({ $client: d1 }: Db, accountId: number, text: string): Promise<string[]> {
  // No invoice is the installation's.
  if (accountId === INSTALLATION) return [text];
  const its = rawSql`SELECT i.invoice_id FROM invoices i INDEXED BY invoices_by_number
    WHERE i.account_id = ${accountId} AND i.number = ${text} COLLATE NOCASE AND i.deleted_at IS NULL LIMIT 10`;
  const { results } = await prepare(
    d1,
    rawSql`WITH meant AS MATERIALIZED (${its})
      SELECT invoice_id AS id FROM meant
      UNION ALL SELECT a.id FROM meant m CROSS JOIN payment_attempts a
        ON a.account_id = ${accountId} AND a.invoice_id = m.invoice_id
      UNION ALL SELECT r.id FROM meant m CROSS JOIN payment_attempts a
        ON a.account_id = ${accountId} AND a.invoice_id = m.invoice_id
        CROSS JOIN reversals r ON r.attempt_id = a.id`,
  ).all<{ id: string }>();
  return [text, ...results.map(({ id }) => id)];
}
