import { sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Synced customers and companies, and the cursors of the CRM sync; invoices have a file of their own. */

export const contacts = sqliteTable(
  'contacts',
  {
    accountId: integer('account_id').notNull(),
    contactId: text('contact_id').notNull(),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    email: text('email').notNull().default(''),
    phone: text('phone').notNull().default(''),
    company: text('company').notNull().default(''),
    companyId: text('company_id').notNull().default(''),
    address: text('address').notNull().default(''),
    city: text('city').notNull().default(''),
    state: text('state').notNull().default(''),
    zip: text('zip').notNull().default(''),
    modifiedAt: integer('modified_at').notNull().default(0),
    readAt: integer('read_at').notNull(),
    seenPass: integer('seen_pass').notNull().default(0),
    deletedAt: integer('deleted_at'),
    idNumber: integer('id_number').generatedAlwaysAs(sql``, { mode: 'virtual' }),
    /** What is owed in US dollars, since which due day (`''`: without one), and the newest payment (0: never); triggers keep them. */
    owedCents: integer('owed_cents').notNull().default(0),
    firstDue: text('first_due').notNull().default(''),
    lastPaidAt: integer('last_paid_at').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.contactId] })],
);

export const companies = sqliteTable(
  'companies',
  {
    accountId: integer('account_id').notNull(),
    companyId: text('company_id').notNull(),
    name: text('name').notNull().default(''),
    address: text('address').notNull().default(''),
    city: text('city').notNull().default(''),
    state: text('state').notNull().default(''),
    zip: text('zip').notNull().default(''),
    modifiedAt: integer('modified_at').notNull().default(0),
    readAt: integer('read_at').notNull(),
    seenPass: integer('seen_pass').notNull().default(0),
    deletedAt: integer('deleted_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.companyId] })],
);

export const crmSyncs = sqliteTable('crm_sync_states', {
  accountId: integer('account_id').primaryKey(),
  leaseId: text('lease_id').notNull().default(''),
  leaseUntil: integer('lease_until').notNull().default(0),
  requestedAt: integer('requested_at').notNull().default(0),
  waitUntil: integer('wait_until').notNull().default(0),
  dueAt: integer('due_at').notNull().default(0),
  lookedAt: integer('looked_at').notNull().default(0),
  asOf: integer('as_of'),
  failingSince: integer('failing_since'),
  firstPageAt: integer('first_page_at'),
  completeAt: integer('complete_at'),
  copied: integer('copied').notNull().default(0),
  expected: integer('expected').notNull().default(0),
});
export type SyncRow = typeof crmSyncs.$inferSelect;

export const syncCursors = sqliteTable(
  'crm_cursors',
  {
    accountId: integer('account_id').notNull(),
    kind: text('kind', { enum: ['companies', 'contacts', 'invoices'] }).notNull(),
    pass: integer('pass').notNull().default(0),
    stage: text('stage', { enum: ['pages', 'unmet', 'ended'] })
      .notNull()
      .default('ended'),
    beganAt: integer('began_at').notNull().default(0),
    endedAt: integer('ended_at'),
    pageAfter: text('page_after'),
    copied: integer('copied').notNull().default(0),
    expected: integer('expected').notNull().default(0),
    changedSince: integer('changed_since').notNull().default(0),
    changedTie: text('changed_tie'),
    archivedAfter: text('archived_after'),
    archivedAt: integer('archived_at').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
);
export type SyncCursor = typeof syncCursors.$inferSelect;

export const crmTokens = sqliteTable('crm_tokens', {
  accountId: integer('account_id').primaryKey(),
  accessToken: text('access_token').notNull(),
  refreshToken: text('refresh_token').notNull(),
  expiresAt: integer('expires_at').notNull(),
  scopes: text('scopes').notNull(),
  version: integer('version').notNull().default(1),
  leaseUntil: integer('lease_until').notNull().default(0),
  revokedAt: integer('revoked_at'),
});
