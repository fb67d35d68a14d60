import { and, asc, eq, getTableColumns, lte, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type StaffRole, SUPPORT_USER } from '#shared/contracts/staff/team-values';
import {
  type Attempt,
  accounts,
  invoices,
  ledger,
  merchants,
  outbox,
  payLinks,
  paymentAttempts,
} from '#worker/data/schema/schema';
import { type Db, type RawRow, rowOf, writtenOnce } from '../db.ts';
import { KINDS_SENT_FIRST, KINDS_SENT_LAST, type MailKind } from '../schema/mail.ts';

export type OutboxRow = typeof outbox.$inferSelect;

/** The receipt of a payment has a single mail id, even if it is requested several times. */
export const receiptMailId = (attemptId: string) => `receipt-${attemptId}`;

/** The sign-up email of an application has a single mail id. */
export const signUpMailId = (merchantNumber: string) => `sign-up-${merchantNumber}`;

export type NewMail = {
  /** Emails queued with the same id are one email, which is sent once. */
  id: string;
  kind: MailKind;
  recipient: string;
  accountId?: number;
  attemptId?: string;
  invoiceId?: string;
  /** Values for the email that no row contains; capabilities among them are sealed. */
  details?: Record<string, string>;
};

/** A statement that queues an email: run it alone, or in the batch that causes the email. sendMail() sends it. */
export const queueMail = (db: Db, { details = {}, ...mail }: NewMail, now: number) =>
  db
    .insert(outbox)
    .values({ ...mail, details: JSON.stringify(details), nextTryAt: now, createdAt: now })
    .onConflictDoNothing();

/** The details that were passed to queueMail(). */
export function detailsOf({ details }: OutboxRow): Partial<Record<string, string>> {
  const value: unknown = JSON.parse(details);
  const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

const URGENCY = sql`CASE WHEN ${outbox.kind} IN ${sql.raw(KINDS_SENT_FIRST)} THEN 0
  WHEN ${outbox.kind} IN ${sql.raw(KINDS_SENT_LAST)} THEN 2 ELSE 1 END`;

/** Due emails: receipts first, then requests for payment, then notices to staff. */
export const listDueMail = (db: Db, now: number, limit: number): Promise<Pick<OutboxRow, 'id' | 'kind'>[]> =>
  db
    .select({ id: outbox.id, kind: outbox.kind })
    .from(outbox)
    .where(and(eq(outbox.state, 'due'), lte(outbox.nextTryAt, now)))
    .orderBy(asc(URGENCY), asc(outbox.nextTryAt))
    .limit(limit);

/** The first and the maximum wait (ms) before a claimed email is due again; the wait doubles with each attempt. */
const MIN_RETRY_MS = 30_000;
const MAX_RETRY_MS = 6 * 3_600_000;

/** A queued email with the rows that its text may need. */
export type QueuedMail = {
  mail: OutboxRow;
  account: typeof accounts.$inferSelect | undefined;
  merchant: typeof merchants.$inferSelect | undefined;
  attempt: Attempt | undefined;
  entries: (typeof ledger.$inferSelect)[];
  invoice: typeof invoices.$inferSelect | undefined;
  /** The live link of the invoice. */
  link: typeof payLinks.$inferSelect | undefined;
};

type DatabaseOwner = 'clinic' | 'installation';

/**
 * Claim a due email with all rows that its text needs. Null if it is not due, or if another sender was faster. If the
 * sender dies, the email is due again after a wait that doubles with each attempt. `owner`: the owner of the database;
 * the installation's database has an outbox, but none of the other rows.
 */
export async function claimMail(db: Db, owner: DatabaseOwner, id: string, now: number): Promise<QueuedMail | null> {
  const statements = claimStatements(db, { of: { id, now } }, owner, owner);
  const results = await db.$client.batch<RawRow>(statements);
  const rowsOf = <T extends SQLiteTable>(index: number, table: T) =>
    (results[index]?.results ?? []).map((raw) => rowOf(table, raw, ''));
  const [mail] = rowsOf(0, outbox);
  if (!mail) return null;
  return {
    mail,
    account: rowsOf(1, accounts)[0],
    merchant: rowsOf(2, merchants)[0],
    attempt: rowsOf(3, paymentAttempts)[0],
    entries: rowsOf(4, ledger),
    invoice: rowsOf(5, invoices)[0],
    link: rowsOf(6, payLinks)[0],
  };
}

type Claim = { of: { id: string; now: number } };

const claimStatements = writtenOnce<Claim, DatabaseOwner>(['of'], (db, { of: { id, now } }, owner) => {
  const claim = db
    .update(outbox)
    .set({
      tries: sql`${outbox.tries} + 1`,
      nextTryAt: sql`${now} + min(${MIN_RETRY_MS} << min(${outbox.tries}, 10), ${MAX_RETRY_MS})`,
    })
    .where(and(eq(outbox.id, id), eq(outbox.state, 'due'), lte(outbox.nextTryAt, now)))
    .returning();
  if (owner === 'installation') return [claim];
  const mailColumn = (column: 'account_id' | 'attempt_id' | 'invoice_id') =>
    sql`(SELECT ${sql.raw(column)} FROM outbox WHERE id = ${id})`;
  return [
    claim,
    db
      .select()
      .from(accounts)
      .where(eq(accounts.accountId, mailColumn('account_id'))),
    db
      .select()
      .from(merchants)
      .where(eq(merchants.accountId, mailColumn('account_id'))),
    db
      .select()
      .from(paymentAttempts)
      .where(eq(paymentAttempts.id, mailColumn('attempt_id'))),
    db
      .select()
      .from(ledger)
      .where(eq(ledger.attemptId, mailColumn('attempt_id')))
      .orderBy(asc(ledger.at)),
    db
      .select()
      .from(invoices)
      .where(and(eq(invoices.accountId, mailColumn('account_id')), eq(invoices.invoiceId, mailColumn('invoice_id')))),
    db
      .select()
      .from(payLinks)
      .where(
        and(
          eq(payLinks.accountId, mailColumn('account_id')),
          eq(payLinks.invoiceId, mailColumn('invoice_id')),
          eq(payLinks.state, 'live'),
        ),
      ),
  ];
});

/** Postpone a claimed email to `until` (UTC ms), without counting an attempt. */
export async function postponeMail(db: Db, id: string, until: number): Promise<void> {
  await db
    .update(outbox)
    .set({ nextTryAt: until, tries: sql`${outbox.tries} - 1` })
    .where(and(eq(outbox.id, id), eq(outbox.state, 'due')));
}

export async function closeMail(db: Db, id: string, state: 'sent' | 'failed', at: number): Promise<void> {
  await db.update(outbox).set({ state, sentAt: at }).where(eq(outbox.id, id));
}

/** No clinic has more people in these roles. */
const MAX_RECIPIENTS = 20;

type MailedStaff = { accountId: number; roles: readonly StaffRole[]; exceptUserId?: number };

/**
 * A statement that queues an email to everyone in an account who has one of these roles, except the user
 * `exceptUserId`. Run it alone, or in the batch that causes the email. Each mail id starts with `mail.id`, so a second
 * run queues nothing. `condition`: SQL that must be true. `now`: UTC ms.
 */
export function queueMailToStaff(
  db: Db,
  { accountId, roles, exceptUserId = SUPPORT_USER }: MailedStaff,
  mail: Omit<NewMail, 'recipient' | 'accountId'>,
  now: number,
  condition: SQL = sql`1`,
) {
  const row: Record<string, SQL | string | number> = {
    ...mail,
    id: sql`${mail.id} || '-' || user_id`,
    details: JSON.stringify(mail.details ?? {}),
    accountId,
    recipient: sql`email`,
    nextTryAt: now,
    createdAt: now,
  };
  const values = Object.entries(getTableColumns(outbox)).map(
    ([key, column]) => sql`${row[key] ?? column.default ?? null}`,
  );
  return db
    .insert(outbox)
    .select(
      sql`SELECT ${sql.join(values, sql`, `)} FROM users WHERE account_id = ${accountId} AND removed_at IS NULL
        AND role IN (SELECT value FROM json_each(${JSON.stringify(roles)})) AND email <> '' AND user_id > ${SUPPORT_USER}
        AND user_id <> ${exceptUserId} AND ${condition} ORDER BY user_id LIMIT ${MAX_RECIPIENTS}`,
    )
    .onConflictDoNothing()
    .returning({ id: outbox.id });
}
