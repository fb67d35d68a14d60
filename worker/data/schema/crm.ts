import { sql } from 'drizzle-orm';
import { primaryKey } from 'drizzle-orm/sqlite-core';
import { DAY, deleteAfter, freeText, personal, plain, SEVEN_YEARS, table, withAccount } from './table.ts';

/** Copies of CRM contacts and companies, the state of the CRM sync, and the CRM's grant. Invoices: invoices.ts. */

/** The tables with copies of CRM records, which the CRM sync maintains. */
export const COPIES = ['contacts', 'companies', 'invoices'] as const;

export const contacts = table(
  'contacts',
  {
    row: 'the last copy of one CRM contact',
    lifetime: {
      rules: [
        {
          does: 'delete',
          column: 'deleted_at',
          ms: 30 * DAY,
          index: 'contacts_gone',
          when: 'deleted_at IS NOT NULL',
          atOnce: 20,
        },
      ],
      why: 'a copy stays as long as the record in the CRM; its names are deleted from the invoices with it',
    },
    copies: { only: 'export', why: 'the CRM sync reads it again' },
  },
  {
    accountId: plain.integer('account_id').notNull(),
    contactId: plain.text('contact_id').notNull(),
    firstName: personal.text('first_name').notNull().default(''),
    lastName: personal.text('last_name').notNull().default(''),
    email: personal.text('email').notNull().default(''),
    phone: personal.text('phone').notNull().default(''),
    company: plain.text('company').notNull().default(''),
    companyId: plain.text('company_id').notNull().default(''),
    address: personal.text('address').notNull().default(''),
    city: personal.text('city').notNull().default(''),
    state: personal.text('state').notNull().default(''),
    zip: personal.text('zip').notNull().default(''),
    modifiedAt: plain.integer('modified_at').notNull().default(0),
    readAt: plain.integer('read_at').notNull(),
    seenPass: plain.integer('seen_pass').notNull().default(0),
    deletedAt: plain.integer('deleted_at'),
    idNumber: plain.integer('id_number').generatedAlwaysAs(sql``, { mode: 'virtual' }),
    /** US cents owed, earliest due day (`''`: none) and latest payment (UTC ms, 0: none); maintained by triggers. */
    owedCents: plain.integer('owed_cents').notNull().default(0),
    firstDue: plain.text('first_due').notNull().default(''),
    lastPaidAt: plain.integer('last_paid_at').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.contactId] })],
);

export const companies = table(
  'companies',
  {
    row: 'the last copy of one CRM company',
    lifetime: {
      rules: [deleteAfter('deleted_at', 30 * DAY, 'companies_gone', 'deleted_at IS NOT NULL')],
      why: 'a copy stays as long as the record in the CRM',
    },
    copies: { only: 'export', why: 'the CRM sync reads it again' },
  },
  {
    accountId: plain.integer('account_id').notNull(),
    companyId: plain.text('company_id').notNull(),
    name: plain.text('name').notNull().default(''),
    address: plain.text('address').notNull().default(''),
    city: plain.text('city').notNull().default(''),
    state: plain.text('state').notNull().default(''),
    zip: plain.text('zip').notNull().default(''),
    modifiedAt: plain.integer('modified_at').notNull().default(0),
    readAt: plain.integer('read_at').notNull(),
    seenPass: plain.integer('seen_pass').notNull().default(0),
    deletedAt: plain.integer('deleted_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.companyId] })],
);

export const crmSyncs = table(
  'crm_sync_states',
  {
    row: 'the state of an account’s CRM sync',
    lifetime: withAccount('one row per account'),
    copies: { none: 'progress of the sync; a restore begins a new one' },
  },
  {
    accountId: plain.integer('account_id').primaryKey(),
    leaseId: plain.text('lease_id').notNull().default(''),
    leaseUntil: plain.integer('lease_until').notNull().default(0),
    requestedAt: plain.integer('requested_at').notNull().default(0),
    waitUntil: plain.integer('wait_until').notNull().default(0),
    dueAt: plain.integer('due_at').notNull().default(0),
    lookedAt: plain.integer('looked_at').notNull().default(0),
    asOf: plain.integer('as_of'),
    failingSince: plain.integer('failing_since'),
    firstPageAt: plain.integer('first_page_at'),
    completeAt: plain.integer('complete_at'),
    copied: plain.integer('copied').notNull().default(0),
    expected: plain.integer('expected').notNull().default(0),
    failure: plain.text('failure').notNull().default(''),
  },
);
export type SyncRow = typeof crmSyncs.$inferSelect;

export const syncCursors = table(
  'crm_cursors',
  {
    row: `the sync cursor for one kind of an account's records`,
    lifetime: withAccount('three rows per account'),
    copies: { none: 'progress of the sync; a restore begins a new one' },
    key: ['account_id', 'kind'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    kind: plain.text('kind', { enum: ['companies', 'contacts', 'invoices'] }).notNull(),
    pass: plain.integer('pass').notNull().default(0),
    stage: plain
      .text('stage', { enum: ['pages', 'unmet', 'ended'] })
      .notNull()
      .default('ended'),
    beganAt: plain.integer('began_at').notNull().default(0),
    endedAt: plain.integer('ended_at'),
    pageAfter: plain.text('page_after'),
    copied: plain.integer('copied').notNull().default(0),
    expected: plain.integer('expected').notNull().default(0),
    changedSince: plain.integer('changed_since').notNull().default(0),
    changedTie: plain.text('changed_tie'),
    archivedAfter: plain.text('archived_after'),
    archivedAt: plain.integer('archived_at').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
);
export type SyncCursor = typeof syncCursors.$inferSelect;

export const crmTokens = table(
  'crm_tokens',
  {
    row: 'the CRM’s OAuth grant for one account',
    lifetime: {
      rules: [
        {
          does: 'delete',
          column: 'revoked_at',
          ms: 30 * DAY,
          when: 'revoked_at IS NOT NULL',
          unless: {
            sql: COPIES.map(
              (copies) =>
                `EXISTS (SELECT 1 FROM ${copies} c WHERE c.account_id = crm_tokens.account_id AND c.deleted_at IS NULL)`,
            ).join(' OR '),
            say: 'once all copies of the account’s records are marked as deleted',
          },
        },
      ],
      why: 'a revoked grant opens nothing, and without a grant nothing shows that a record still exists',
    },
    copies: { only: 'dump', why: 'an export has no tokens: staff connect the CRM again' },
  },
  {
    accountId: plain.integer('account_id').primaryKey(),
    accessToken: plain.text('access_token').notNull(),
    refreshToken: plain.text('refresh_token').notNull(),
    expiresAt: plain.integer('expires_at').notNull(),
    scopes: plain.text('scopes').notNull(),
    version: plain.integer('version').notNull().default(1),
    leaseUntil: plain.integer('lease_until').notNull().default(0),
    revokedAt: plain.integer('revoked_at'),
  },
);

/** Write-back of payments to the CRM. */

export const crmWriteStates = ['due', 'sent', 'written', 'refused', 'unknown', 'not_wanted', 'by_hand'] as const;
export type CrmWriteState = (typeof crmWriteStates)[number];

export const crmWriteSettings = table(
  'crm_write_settings',
  {
    row: `an account's setting for write-back: whether the CRM gets a record of its payments`,
    lifetime: withAccount('one row per account'),
    copies: {
      only: 'dump',
      why: 'after a restore, write-back stays off until an administrator enables it again',
    },
  },
  {
    accountId: plain.integer('account_id').primaryKey(),
    isOn: plain.integer('is_on', { mode: 'boolean' }).notNull(),
    changedBy: plain.integer('changed_by').notNull(),
    changedAt: plain.integer('changed_at').notNull(),
    state: plain
      .text('state', { enum: ['ready', 'not_allowed', 'cannot'] })
      .notNull()
      .default('ready'),
    said: plain.text('said').notNull().default(''),
    waitUntil: plain.integer('wait_until').notNull().default(0),
    movesBalance: plain.integer('moves_balance', { mode: 'boolean' }),
  },
);
export type CrmWriteSettings = typeof crmWriteSettings.$inferSelect;

export const crmWrites = table(
  'crm_writes',
  {
    row: 'one ledger entry to record in the CRM',
    lifetime: {
      rules: [deleteAfter('created_at', SEVEN_YEARS, 'crm_writes_made')],
      why: 'it prevents a second record of a payment, and shows who recorded one by hand',
    },
    copies: 'export and dump',
    evidence: true,
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    attemptId: plain.text('attempt_id').notNull(),
    kind: plain.text('kind', { enum: ['payment', 'reversal'] }).notNull(),
    amountCents: plain.integer('amount_cents').notNull(),
    state: plain.text('state', { enum: crmWriteStates }).notNull(),
    objectId: plain.text('object_id').notNull().default(''),
    tries: plain.integer('tries').notNull().default(0),
    looks: plain.integer('looks').notNull().default(0),
    balanceCents: plain.integer('balance_cents'),
    sentAt: plain.integer('sent_at'),
    nextTryAt: plain.integer('next_try_at'),
    said: plain.text('said').notNull().default(''),
    effect: plain
      .text('effect', { enum: ['', 'paid', 'balance_moved', 'nothing_moved'] })
      .notNull()
      .default(''),
    note: freeText.text('note').notNull().default(''),
    decidedBy: plain.integer('decided_by'),
    createdAt: plain.integer('created_at').notNull(),
    doneAt: plain.integer('done_at'),
  },
);
export type CrmWrite = typeof crmWrites.$inferSelect;
