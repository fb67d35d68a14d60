import { env } from 'cloudflare:workers';
import { freshId } from '#tests/support/unit/world';
import { type Db, openDb } from '#worker/data/db';
import type { ListFilters, ListView } from '#worker/data/lists/description';
import { accounts, contacts, invoices, sessions, users } from '#worker/data/schema/schema';

export type InvoiceSeed = Partial<typeof invoices.$inferInsert> & { invoiceId: string };
export type ContactSeed = Partial<typeof contacts.$inferInsert> & { contactId: string };

/** An account with a session, whose synced records tests insert themselves. */
export async function makeListAccount(accountId = freshId()) {
  const db = openDb(env.DB);
  const now = Date.UTC(2026, 2, 4);
  const sessionId = `s${accountId}`;
  await db
    .insert(accounts)
    .values({ accountId, name: 'Hub', domain: 'hub.example', timeZone: 'UTC', connectedAt: now });
  await db.insert(users).values({ accountId, userId: 1, email: 'a@hub.example', lastLoginAt: now });
  await db.insert(sessions).values({
    id: sessionId,
    accountId,
    userId: 1,
    refreshTokenHash: `c${accountId}`,
    createdAt: now,
    seenAt: now,
    endsAt: now + 3_600_000,
  });
  return {
    accountId,
    db,
    now,
    claim: { sessionId, accountId },
    addInvoices: (rows: InvoiceSeed[]) => addInvoices(accountId, rows),
    addContacts: (rows: ContactSeed[]) => addContacts(accountId, rows),
    /** Adds `count` open invoices with the same due date, numbered from INV-0, in one statement for speed. */
    addAlike: (count: number) => env.DB.prepare(INSERT_ALIKE).bind(accountId, count).run(),
  };
}

export type ListAccount = Awaited<ReturnType<typeof makeListAccount>>;

/** Inserts synced records of an account, as the CRM sync would leave them. */
export const addInvoices = (accountId: number, rows: InvoiceSeed[]) =>
  inBatches(rows, (row) =>
    openDb(env.DB)
      .insert(invoices)
      .values({ ...DEFAULTS, ...row, accountId }),
  );
export const addContacts = (accountId: number, rows: ContactSeed[]) =>
  inBatches(rows, (row) =>
    openDb(env.DB)
      .insert(contacts)
      .values({ ...row, accountId, readAt: 1 }),
  );

const INSERT_ALIKE = `WITH RECURSIVE g (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM g WHERE n < ?2 - 1)
  INSERT INTO invoices (account_id, invoice_id, number, status, currency, due_date, read_at)
  SELECT ?1, CAST(50000 + n AS TEXT), 'INV-' || n, 'open', 'USD', '2026-01-01', 1 FROM g`;

const DEFAULTS = { number: '', status: 'open', currency: 'USD', readAt: 1 };

type Statement = Parameters<Db['batch']>[0][number];

/** Inserts any number of rows, in batches of 500. */
async function inBatches<Row>(rows: Row[], insert: (row: Row) => Statement): Promise<void> {
  const db = openDb(env.DB);
  for (let at = 0; at < rows.length; at += 500) {
    const [first, ...rest] = rows.slice(at, at + 500).map(insert);
    if (first) await db.batch([first, ...rest]);
  }
}

export const noFilters: ListFilters = { q: '', statuses: [], ranges: [], contactId: null, hasOpenInvoice: false };

export const listView = (view: Partial<ListView> & { sort: string }): ListView => ({
  ...noFilters,
  isDescending: false,
  page: 1,
  size: 10,
  cursor: null,
  ...view,
});
