import { type AuditEvent, type AuditSeal, auditEvents, auditSeals, INSTALLATION } from '#worker/data/schema/audit';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';
import { inList, joinSql, prepare, type RawSql, raw, rawSql } from '../sql.ts';

// Not built on the list engine, which sorts copies of the CRM by any column and counts them by triggers. The trail has
// only one order, by number, and a counter or an index would cost one more row write per payment.

export type TrailFilters = {
  /** The actions to include; null for all. */
  actions: string[] | null;
  /** An actor kind, or a single actor if `id` is set. */
  actor: { kind: string; id: string | null } | null;
  /** The ids of the subjects; null for all. */
  subjectIds: string[] | null;
  /** A clinic by its number, in the installation's trail. */
  clinic: number | null;
  /** The start (inclusive) and the end (exclusive) of the period, in UTC ms; null if unlimited. */
  from: number | null;
  until: number | null;
};

/** The lowest and highest numbers that an event of the requested days can have; `newest` is the account's highest. */
export type EventRange = { lowest: number; highest: number; newest: number };

/** An event's time is taken before it gets its number, so events may be out of order by this much. */
const OUT_OF_ORDER_MS = 10 * 60_000;

/**
 * The number of the first event at or after a time, found by binary search, because an index by time would cost one
 * more row write per event.
 */
const firstEventAt = (accountId: number, at: number): RawSql => {
  // Uses the next existing number, because retention and tampering leave gaps.
  const isBefore = rawSql`coalesce((SELECT e.at < ${at} FROM audit_events e
    WHERE e.account_id = ${accountId} AND e.seq >= (low + high) / 2 ORDER BY e.seq LIMIT 1), 0)`;
  return rawSql`(
    WITH RECURSIVE half(low, high) AS (
      SELECT coalesce((SELECT min(seq) FROM audit_events WHERE account_id = ${accountId}), 1),
        1 + coalesce((SELECT max(seq) FROM audit_events WHERE account_id = ${accountId}), 0)
      UNION ALL
      SELECT iif(${isBefore}, (low + high) / 2 + 1, low), iif(${isBefore}, high, (low + high) / 2)
      FROM half WHERE low < high
    ) SELECT low FROM half WHERE low >= high
  )`;
};

export async function findEventRange(
  { $client: d1 }: Db,
  accountId: number,
  { from, until }: Pick<TrailFilters, 'from' | 'until'>,
): Promise<EventRange> {
  const first = rawSql`SELECT min(seq) FROM audit_events WHERE account_id = ${accountId}`;
  const last = rawSql`SELECT max(seq) FROM audit_events WHERE account_id = ${accountId}`;
  const lowest = from === null ? rawSql`(${first})` : firstEventAt(accountId, from - OUT_OF_ORDER_MS);
  const highest = until === null ? rawSql`(${last})` : rawSql`${firstEventAt(accountId, until + OUT_OF_ORDER_MS)} - 1`;
  const row = await prepare(d1, rawSql`SELECT ${lowest} AS lowest, ${highest} AS highest, (${last}) AS newest`).first<
    Record<keyof EventRange, number | null>
  >();
  return { lowest: row?.lowest ?? 1, highest: row?.highest ?? 0, newest: row?.newest ?? 0 };
}

const COLUMNS = raw(columnsOf(auditEvents, 'e', ''));

/** Events that match the filters, in descending order of their numbers. Reads each row in the range at most once. */
export async function readTrail(
  { $client: d1 }: Db,
  accountId: number,
  { actions, actor, subjectIds, clinic, from, until }: TrailFilters,
  { highest, lowest, limit }: { highest: number; lowest: number; limit: number },
): Promise<AuditEvent[]> {
  const where = [rawSql`e.account_id = ${accountId}`, rawSql`e.seq <= ${highest}`, rawSql`e.seq >= ${lowest}`];
  if (actions) where.push(rawSql`e.action IN ${inList(actions)}`);
  if (actor) where.push(rawSql`e.actor_kind = ${actor.kind}`);
  if (actor?.id != null) where.push(rawSql`e.actor_id = ${actor.id}`);
  if (subjectIds) where.push(rawSql`e.subject_id IN (SELECT value FROM json_each(${JSON.stringify(subjectIds)}))`);
  // The event of an email that was sent again has the email as its subject and the clinic in its facts.
  if (clinic !== null)
    where.push(rawSql`(e.subject_kind = 'clinic' AND e.subject_id = ${String(clinic)}
      OR e.action = 'mail.sent-again' AND e.after ->> 'clinic' = ${clinic})`);
  if (from !== null) where.push(rawSql`e.at >= ${from}`);
  if (until !== null) where.push(rawSql`e.at < ${until}`);
  const { results } = await prepare(
    d1,
    rawSql`SELECT ${COLUMNS} FROM audit_events e WHERE ${joinSql(where, ' AND ')}
      ORDER BY e.seq DESC LIMIT ${limit}`,
  ).all<RawRow>();
  return results.map((row) => rowOf(auditEvents, row, ''));
}

/** Seals that cover events in a range of numbers, newest first. */
export const listSealsOver = async (
  { $client: d1 }: Db,
  accountId: number,
  { highest, lowest }: { highest: number; lowest: number },
): Promise<AuditSeal[]> => {
  const { results } = await prepare(
    d1,
    rawSql`SELECT ${raw(columnsOf(auditSeals, 's', ''))} FROM audit_seals s
      WHERE s.account_id = ${accountId} AND s.from_seq <= ${highest} AND s.to_seq >= ${lowest}
        AND s.from_seq >= coalesce((SELECT max(b.from_seq) FROM audit_seals b
          WHERE b.account_id = ${accountId} AND b.from_seq <= ${lowest}), 0)
      ORDER BY s.from_seq DESC`,
  ).all<RawRow>();
  return results.map((row) => rowOf(auditSeals, row, ''));
};

export type NamedPerson = { person: string; name: string };

/** People who may have acted in an account, by name; 200 at most. Account 0 is the content area's. */
export async function listPeople({ $client: d1 }: Db, accountId: number, isContent: boolean): Promise<NamedPerson[]> {
  const people = isContent
    ? rawSql`SELECT 'content:' || id AS person, name || ' (' || email || ')' AS name FROM content_users
        WHERE status <> 'decoy' UNION ALL SELECT 'operator:' || id, name || ' (operator)' FROM operators
        ORDER BY name LIMIT 200`
    : rawSql`SELECT 'user:' || user_id AS person, iif(name = '', email, name) AS name FROM users
        WHERE account_id = ${accountId} ORDER BY 2 LIMIT 200`;
  return (await prepare(d1, people).all<NamedPerson>()).results;
}

/** The facts about the subject of an event that its description shows. Amounts in cents; null if there is none. */
export type Subject = {
  id: string;
  /** The invoice's number; for an invitation, the invited person; for a clinic, its name. */
  number: string;
  amountCents: number | null;
  currency: string | null;
  /** `void` or `refund`, for a reversal. */
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

const invitations = (accountId: number, ids: string): RawSql => rawSql`
  SELECT 'staff-invitation' AS about, n.id AS id, iif(n.name = '', n.email, n.name) AS number, NULL AS amountCents,
    NULL AS currency, NULL AS kind, NULL AS reason
  FROM json_each(${ids}) w CROSS JOIN invitations n ON n.id = w.value WHERE n.account_id = ${accountId}`;

/** Only the installation's database has the clinics; see hasSubjectQuery. */
const clinicNames = (_accountId: number, ids: string): RawSql => rawSql`
  SELECT 'clinic' AS about, CAST(c.number AS TEXT) AS id, c.name AS number, NULL AS amountCents, NULL AS currency,
    NULL AS kind, NULL AS reason
  FROM json_each(${ids}) w CROSS JOIN clinics c ON c.number = CAST(w.value AS INTEGER)`;

const SUBJECT_QUERIES = {
  payment: payments,
  reversal: reversals,
  invoice: invoices,
  'staff-invitation': invitations,
  clinic: clinicNames,
};
const hasSubjectQuery = (kind: string, accountId: number): kind is keyof typeof SUBJECT_QUERIES =>
  kind in SUBJECT_QUERIES && (kind !== 'clinic' || accountId === INSTALLATION);

/** The rows that these events refer to, by `kind:id`, in one round trip; no round trip if there are none. */
export async function findSubjects(
  { $client: d1 }: Db,
  accountId: number,
  events: { subjectKind: string; subjectId: string }[],
): Promise<Map<string, Subject>> {
  const idsByKind = new Map<keyof typeof SUBJECT_QUERIES, Set<string>>();
  for (const { subjectKind, subjectId } of events) {
    if (!hasSubjectQuery(subjectKind, accountId)) continue;
    idsByKind.set(subjectKind, (idsByKind.get(subjectKind) ?? new Set()).add(subjectId));
  }
  if (idsByKind.size === 0) return new Map();
  const batchResults = await d1.batch<Subject & { about: string }>(
    [...idsByKind].map(([kind, ids]) => prepare(d1, SUBJECT_QUERIES[kind](accountId, JSON.stringify([...ids])))),
  );
  return new Map(batchResults.flatMap(({ results }) => results.map((row) => [`${row.about}:${row.id}`, row] as const)));
}

/**
 * Ids that a text may refer to: the text itself, and for an invoice number also the invoice, its payments and
 * reversals.
 */
export async function findMatchingIds({ $client: d1 }: Db, accountId: number, text: string): Promise<string[]> {
  // The installation has no invoices.
  if (accountId === INSTALLATION) return [text];
  const invoiceIds = rawSql`SELECT i.invoice_id FROM invoices i INDEXED BY invoices_by_number
    WHERE i.account_id = ${accountId} AND i.number = ${text} COLLATE NOCASE AND i.deleted_at IS NULL LIMIT 10`;
  const { results } = await prepare(
    d1,
    rawSql`WITH meant AS MATERIALIZED (${invoiceIds})
      SELECT invoice_id AS id FROM meant
      UNION ALL SELECT a.id FROM meant m CROSS JOIN payment_attempts a
        ON a.account_id = ${accountId} AND a.invoice_id = m.invoice_id
      UNION ALL SELECT r.id FROM meant m CROSS JOIN payment_attempts a
        ON a.account_id = ${accountId} AND a.invoice_id = m.invoice_id
        CROSS JOIN reversals r ON r.attempt_id = a.id`,
  ).all<{ id: string }>();
  return [text, ...results.map(({ id }) => id)];
}
