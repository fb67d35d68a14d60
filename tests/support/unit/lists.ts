import { env } from 'cloudflare:workers';
import { freshId } from '#tests/support/unit/world';
import { type Db, openDb } from '#worker/data/db';
import type { ListFilters, ListView } from '#worker/data/lists/description';
import { contacts, hubs, invoices, sessions, users } from '#worker/data/schema/schema';

export type InvoiceSeed = Partial<typeof invoices.$inferInsert> & { invoiceId: string };
export type ContactSeed = Partial<typeof contacts.$inferInsert> & { contactId: string };

/** A hub with a session, whose copy of the CRM's records a test fills by hand. */
export async function makeListHub(hubId = freshId()) {
  const db = openDb(env.DB);
  const now = Date.UTC(2026, 2, 4);
  const sessionId = `s${hubId}`;
  await db.insert(hubs).values({ hubId, name: 'Hub', domain: 'hub.example', timeZone: 'UTC', connectedAt: now });
  await db.insert(users).values({ hubId, userId: 1, email: 'a@hub.example', lastLoginAt: now });
  await db.insert(sessions).values({
    id: sessionId,
    hubId,
    userId: 1,
    companionHash: `c${hubId}`,
    createdAt: now,
    seenAt: now,
    endsAt: now + 3_600_000,
  });
  return {
    hubId,
    db,
    now,
    claim: { sessionId, hubId },
    addInvoices: (rows: InvoiceSeed[]) => addInvoices(hubId, rows),
    addContacts: (rows: ContactSeed[]) => addContacts(hubId, rows),
    /** So many open invoices of one day, numbered from INV-0; in one statement, since there may be very many. */
    addAlike: (count: number) => env.DB.prepare(ALIKE).bind(hubId, count).run(),
  };
}

export type ListHub = Awaited<ReturnType<typeof makeListHub>>;

/** Rows of a hub's copy, as the sync would leave them. */
export const addInvoices = (hubId: number, rows: InvoiceSeed[]) =>
  inBatches(rows, (row) =>
    openDb(env.DB)
      .insert(invoices)
      .values({ ...BARE, ...row, hubId }),
  );
export const addContacts = (hubId: number, rows: ContactSeed[]) =>
  inBatches(rows, (row) =>
    openDb(env.DB)
      .insert(contacts)
      .values({ ...row, hubId, readAt: 1 }),
  );

const ALIKE = `WITH RECURSIVE g (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM g WHERE n < ?2 - 1)
  INSERT INTO invoices (hub_id, invoice_id, number, status, currency, due_date, read_at)
  SELECT ?1, CAST(50000 + n AS TEXT), 'INV-' || n, 'open', 'USD', '2026-01-01', 1 FROM g`;

const BARE = { number: '', status: 'open', currency: 'USD', readAt: 1 };

type Statement = Parameters<Db['batch']>[0][number];

/** One transaction for so many rows, whatever their number. */
async function inBatches<Row>(rows: Row[], insert: (row: Row) => Statement): Promise<void> {
  const db = openDb(env.DB);
  for (let at = 0; at < rows.length; at += 500) {
    const [first, ...more] = rows.slice(at, at + 500).map(insert);
    if (first) await db.batch([first, ...more]);
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
