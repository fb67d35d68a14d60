import { primaryKey } from 'drizzle-orm/sqlite-core';
import { DAY, deleteAfter, plain, table, withAccount } from './table.ts';

/** The directory of clinics: the number of each clinic's object, and its last status report. */
export const clinics = table(
  'clinics',
  {
    row: 'one clinic in the directory: the number of its database, and its last status report',
    lifetime: {
      row: 'forever',
      rules: [],
      why:
        'one row for each clinic ever founded, because its number is never reused; ' +
        'after an erasure the row has neither account nor name',
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
    applePayPending: plain.integer('apple_pay_pending').notNull().default(0),
    takesGooglePay: plain.integer('takes_google_pay').notNull().default(0),
    region: plain.text('region').notNull().default(''),
    headSeq: plain.integer('head_seq').notNull().default(0),
    headHash: plain.text('head_hash').notNull().default(''),
    olderKeys: plain.text('older_keys').notNull().default(''),
    dumpedAt: plain.integer('dumped_at').notNull().default(0),
    predecessor: plain.integer('predecessor'),
  },
);

/** Identifiers of a clinic in the card provider's messages. */
export const clinicKeys = table(
  'clinic_keys',
  {
    row: 'one identifier (merchant or terminal) by which the card provider names a clinic',
    lifetime: withAccount('the card provider’s messages name the clinic by it'),
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    kind: plain.text('kind', { enum: ['merchant', 'terminal'] }).notNull(),
    key: plain.text('key').notNull(),
    clinic: plain.integer('clinic').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.key, t.clinic] })],
);

/** Email addresses of staff, as keyed hashes, with their clinics. */
export const staffAddresses = table(
  'staff_addresses',
  {
    row: 'one email address of staff, as a keyed hash, with one clinic of theirs',
    lifetime: {
      row: 'as long as the person is on the team',
      rules: [],
      why: 'a login by mail finds the clinic by it',
    },
    copies: { none: 'each clinic reports its staff every 15 minutes' },
    key: ['address_hash', 'clinic'],
  },
  { addressHash: plain.text('address_hash').notNull(), clinic: plain.integer('clinic').notNull() },
  (t) => [primaryKey({ columns: [t.addressHash, t.clinic] })],
);

/** Codes for a login without the CRM; an unknown address has a row as well, but gets no email. */
export const loginCodes = table(
  'login_codes',
  {
    row: 'one requested code for a login by mail, for a known or an unknown address',
    lifetime: {
      rules: [deleteAfter('created_at', DAY, 'login_codes_created')],
      why: 'valid for 10 minutes, once; an address gets at most ten a day, so codes are counted for a day',
    },
    copies: { none: 'valid for minutes only' },
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

/** In a clinic's own database, its last status report to the directory, as JSON, with its time. */
export const statusReports = table(
  'status_reports',
  {
    row: 'the last status report of the clinic to the directory',
    lifetime: withAccount('one row per account'),
    copies: { none: 'it describes this database only; a restored one reports anew' },
  },
  {
    accountId: plain.integer('account_id').primaryKey(),
    text: plain.text('text').notNull(),
    at: plain.integer('at').notNull(),
  },
);

/** Declined payments by network address, across all clinics. */
export const declines = table(
  'declines',
  {
    row: 'one declined payment from a network address, at any clinic',
    lifetime: {
      rules: [deleteAfter('at', DAY / 24, 'declines_end')],
      why: 'the limit on declines counts one hour',
    },
    copies: { none: 'counts of the last hour' },
  },
  { ipKey: plain.text('ip_key').notNull(), at: plain.integer('at').notNull() },
);

export type ClinicRow = typeof clinics.$inferSelect;
