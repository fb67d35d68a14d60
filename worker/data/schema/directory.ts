import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A clinic, as the installation knows it: which object it is, and what that said of itself last. */
export const clinics = sqliteTable('clinics', {
  number: integer('number').primaryKey({ autoIncrement: true }),
  accountId: integer('account'),
  name: text('name').notNull().default(''),
  schema: integer('schema').notNull().default(0),
  foundedAt: integer('founded_at').notNull(),
  heardAt: integer('heard_at').notNull().default(0),
  erasedAt: integer('erased_at'),
  bytes: integer('bytes').notNull().default(0),
  failingSince: integer('failing_since'),
  needsHuman: integer('needs_human').notNull().default(0),
  lastPaymentAt: integer('last_payment_at'),
  stuckSince: integer('stuck_since'),
  region: text('region').notNull().default(''),
  headSeq: integer('head_seq').notNull().default(0),
  headHash: text('head_hash').notNull().default(''),
  olderKeys: text('older_keys').notNull().default(''),
  dumpedAt: integer('dumped_at').notNull().default(0),
  predecessor: integer('predecessor'),
});

/** What a vendor's message may name instead of a clinic. */
export const clinicKeys = sqliteTable(
  'clinic_keys',
  {
    kind: text('kind', { enum: ['merchant', 'terminal'] }).notNull(),
    key: text('key').notNull(),
    clinic: integer('clinic').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.key, t.clinic] })],
);

/** A clinic that knows a person's address, by its keyed hash. */
export const staffAddresses = sqliteTable(
  'staff_addresses',
  { addressHash: text('address_hash').notNull(), clinic: integer('clinic').notNull() },
  (t) => [primaryKey({ columns: [t.addressHash, t.clinic] })],
);

/** A code that was mailed, or would have been, for a login without the CRM. */
export const loginCodes = sqliteTable('login_codes', {
  id: text('id').primaryKey(),
  addressHash: text('address_hash').notNull(),
  codeHash: text('code_hash').notNull(),
  browserHash: text('browser_hash').notNull(),
  createdAt: integer('created_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  tries: integer('tries').notNull().default(0),
  takenAt: integer('taken_at'),
});

/** In a clinic's own database: what it told the directory last, as JSON, and when. */
export const status_reports = sqliteTable('status_reports', {
  accountId: integer('account_id').primaryKey(),
  text: text('text').notNull(),
  at: integer('at').notNull(),
});

/** A declined payment of an address, at any clinic. */
export const declines = sqliteTable('declines', { ipKey: text('ip_key').notNull(), at: integer('at').notNull() });

export type ClinicRow = typeof clinics.$inferSelect;
