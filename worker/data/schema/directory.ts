import { primaryKey } from 'drizzle-orm/sqlite-core';
import { DAY, deleteAfter, withAccount } from './lifetime.ts';
import { plain, table } from './table.ts';

/** A clinic, as the installation knows it: which object it is, and what that said of itself last. */
export const clinics = table(
  'clinics',
  {
    row: 'a clinic, as the installation knows it: which database is its own, and what that told of itself last',
    lifetime: {
      row: 'for ever',
      rules: [],
      why: 'one row for each clinic that ever was: its number must never be given again; after an erasure the row holds neither account nor name',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    number: plain.integer('number').primaryKey({ autoIncrement: true }),
    accountId: plain.integer('account'),
    name: plain.text('name').notNull().default(''),
    schema: plain.integer('schema').notNull().default(0),
    foundedAt: plain.integer('founded_at').notNull(),
    heardAt: plain.integer('heard_at').notNull().default(0),
    erasedAt: plain.integer('erased_at'),
    bytes: plain.integer('bytes').notNull().default(0),
    failingSince: plain.integer('failing_since'),
    needsHuman: plain.integer('needs_human').notNull().default(0),
    lastPaymentAt: plain.integer('last_payment_at'),
    stuckSince: plain.integer('stuck_since'),
    region: plain.text('region').notNull().default(''),
    headSeq: plain.integer('head_seq').notNull().default(0),
    headHash: plain.text('head_hash').notNull().default(''),
    olderKeys: plain.text('older_keys').notNull().default(''),
    dumpedAt: plain.integer('dumped_at').notNull().default(0),
    predecessor: plain.integer('predecessor'),
  },
);

/** What a vendor's message may name instead of a clinic. */
export const clinicKeys = table(
  'clinic_keys',
  {
    row: 'a word by which the card provider names a clinic',
    lifetime: withAccount('vendors name the clinic by them'),
    copies: { only: 'dump', why: 'the installation has no export' },
    key: ['kind', 'key', 'clinic'],
  },
  {
    kind: plain.text('kind', { enum: ['merchant', 'terminal'] }).notNull(),
    key: plain.text('key').notNull(),
    clinic: plain.integer('clinic').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.key, t.clinic] })],
);

/** A clinic that knows a person's address, by its keyed hash. */
export const staffAddresses = table(
  'staff_addresses',
  {
    row: 'a clinic that knows a person’s address',
    lifetime: {
      row: 'as long as the person is in the team',
      rules: [],
      why: 'a login by mail finds its clinic by it',
    },
    copies: { none: 'each clinic tells of its staff every quarter of an hour' },
  },
  { addressHash: plain.text('address_hash').notNull(), clinic: plain.integer('clinic').notNull() },
  (t) => [primaryKey({ columns: [t.addressHash, t.clinic] })],
);

/** A code that was mailed, or would have been, for a login without the CRM. */
export const loginCodes = table(
  'login_codes',
  {
    row: 'a code for a login by mail that was asked for, of a known address or not',
    lifetime: {
      rules: [deleteAfter('created_at', DAY, 'login_codes_created')],
      why: 'good for 10 minutes, once; an address gets ten a day at most, so they are counted for a day',
    },
    copies: { none: 'good for some minutes' },
  },
  {
    id: plain.text('id').primaryKey(),
    addressHash: plain.text('address_hash').notNull(),
    codeHash: plain.text('code_hash').notNull(),
    browserHash: plain.text('browser_hash').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    tries: plain.integer('tries').notNull().default(0),
    takenAt: plain.integer('taken_at'),
  },
);

/** In a clinic's own database: what it told the directory last, as JSON, and when. */
export const statusReports = table(
  'status_reports',
  {
    row: 'what a clinic told the directory of itself last',
    lifetime: withAccount('one row'),
    copies: { none: 'what the directory was told of this very database' },
  },
  {
    accountId: plain.integer('account_id').primaryKey(),
    text: plain.text('text').notNull(),
    at: plain.integer('at').notNull(),
  },
);

/** A declined payment of an address, at any clinic. */
export const declines = table(
  'declines',
  {
    row: 'a payment that was declined, at any clinic',
    lifetime: {
      rules: [deleteAfter('at', DAY / 24, 'declines_end')],
      why: 'the limit of declines counts an hour',
    },
    copies: { none: 'counts of the last hour' },
  },
  { ipKey: plain.text('ip_key').notNull(), at: plain.integer('at').notNull() },
);

export type ClinicRow = typeof clinics.$inferSelect;
