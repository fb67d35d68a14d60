import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { proofKinds } from '#shared/contracts/proof-values';
import { sessionBeginnings, staffRoles } from '#shared/contracts/team-values';
import { languages } from '#shared/words/language';

/** Accounts with their logins, and merchants as the card provider knows them. */

export const accounts = sqliteTable('accounts', {
  accountId: integer('account_id').primaryKey(),
  name: text('name').notNull(),
  domain: text('domain').notNull(),
  timeZone: text('time_zone').notNull(),
  address: text('address').notNull().default(''),
  phone: text('phone').notNull().default(''),
  email: text('email').notNull().default(''),
  connectedAt: integer('connected_at').notNull(),
  restoredAt: integer('restored_at'),
  refundLimitCents: integer('refund_limit_cents'),
  secondPersonCents: integer('second_person_cents'),
  closesAt: integer('closes_at'),
  firstHourEndedAt: integer('first_hour_ended_at'),
  mailsSeenAt: integer('mails_seen_at'),
  payerLanguage: text('payer_language', { enum: languages }).notNull().default('en'),
  showsLines: integer('shows_lines', { mode: 'boolean' }).notNull().default(false),
  takesParts: integer('takes_installments', { mode: 'boolean' }).notNull().default(false),
});

export const users = sqliteTable(
  'users',
  {
    accountId: integer('account_id').notNull(),
    userId: integer('user_id').notNull(),
    email: text('email').notNull(),
    lastLoginAt: integer('last_login_at').notNull(),
    crmUserId: integer('crm_user_id'),
    name: text('name').notNull().default(''),
    role: text('role', { enum: staffRoles }).notNull().default('desk'),
    isConfirmed: integer('is_confirmed', { mode: 'boolean' }).notNull().default(true),
    removedAt: integer('removed_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.userId] })],
);

export const sessions = sqliteTable('sessions', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  userId: integer('user_id').notNull(),
  refreshTokenHash: text('companion_hash').notNull(),
  createdAt: integer('created_at').notNull(),
  seenAt: integer('seen_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  revokedAt: integer('revoked_at'),
  label: text('label').notNull().default(''),
  beganBy: text('began_by', { enum: sessionBeginnings }).notNull().default('crm'),
  provedAt: integer('proved_at'),
  proof: text('proof', { enum: proofKinds }),
});

export const staffInvitations = sqliteTable('invitations', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  email: text('email').notNull(),
  name: text('name').notNull(),
  role: text('role', { enum: staffRoles }).notNull(),
  secretHash: text('secret_hash').notNull(),
  invitedBy: integer('invited_by'),
  createdAt: integer('created_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  endedAt: integer('ended_at'),
});

export const loginStates = sqliteTable('login_states', {
  stateHash: text('state_hash').primaryKey(),
  verifier: text('verifier').notNull(),
  endsAt: integer('ends_at').notNull(),
  origin: text('origin').notNull().default(''),
});

export const handoffCodes = sqliteTable('handoff_codes', {
  codeHash: text('code_hash').primaryKey(),
  stateHash: text('state_hash').notNull(),
  accountId: integer('account_id').notNull(),
  userId: integer('user_id').notNull(),
  email: text('email').notNull(),
  endsAt: integer('ends_at').notNull(),
});

export const merchantStatuses = [
  'applying',
  'applied',
  'pended',
  'in-review',
  'approved',
  'declined',
  'boarded',
] as const;

export const merchants = sqliteTable('merchants', {
  accountId: integer('account_id').primaryKey(),
  name: text('name').notNull(),
  merchantNumber: text('merchant_number'),
  signupUrl: text('signup_url').notNull().default(''),
  status: text('status', { enum: merchantStatuses }).notNull().default('applying'),
  claimedAt: integer('claimed_at').notNull(),
  footerText: text('footer_text').notNull().default(''),
});

export const merchantLogs = sqliteTable(
  'merchant_logs',
  {
    accountId: integer('account_id').notNull(),
    messageHash: text('message_hash').notNull(),
    event: text('event').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.messageHash] })],
);
