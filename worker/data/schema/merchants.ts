import { primaryKey } from 'drizzle-orm/sqlite-core';
import { proofKinds } from '#shared/contracts/staff/proof';
import { sessionBeginnings, staffRoles } from '#shared/contracts/staff/team-values';
import { languages } from '#shared/words/language';
import {
  blankAfter,
  capability,
  column,
  DAY,
  deleteAfter,
  deleteAtEnd,
  personal,
  plain,
  SEVEN_YEARS,
  TWO_YEARS,
  table,
  withAccount,
} from './table.ts';

const restoredState = column({ notExported: 'the time at which this database was restored' });
const closingState = column({ notExported: 'a planned closing; a restored account does not close' });

/** Accounts with their staff and logins, and their merchants at the card provider. */

export const accounts = table(
  'accounts',
  {
    row: 'one connected CRM account',
    lifetime: withAccount('it is the business itself, and all its records refer to it'),
    copies: 'export and dump',
    evidence: true,
  },
  {
    accountId: plain.integer('account_id').primaryKey(),
    name: plain.text('name').notNull(),
    domain: plain.text('domain').notNull(),
    timeZone: plain.text('time_zone').notNull(),
    address: plain.text('address').notNull().default(''),
    phone: plain.text('phone').notNull().default(''),
    email: plain.text('email').notNull().default(''),
    connectedAt: plain.integer('connected_at').notNull(),
    restoredAt: restoredState.integer('restored_at'),
    refundLimitCents: plain.integer('refund_limit_cents'),
    secondPersonCents: plain.integer('second_person_cents'),
    closesAt: closingState.integer('closes_at'),
    firstHourEndedAt: plain.integer('first_hour_ended_at'),
    mailsSeenAt: plain.integer('mails_seen_at'),
    payerLanguage: plain.text('payer_language', { enum: languages }).notNull().default('en'),
    showsLines: plain.integer('shows_lines', { mode: 'boolean' }).notNull().default(false),
    takesParts: plain.integer('takes_installments', { mode: 'boolean' }).notNull().default(false),
    takesBankPayments: plain.integer('takes_bank_payments', { mode: 'boolean' }).notNull().default(true),
    takesApplePay: plain.integer('takes_apple_pay', { mode: 'boolean' }).notNull().default(false),
    applePayHost: plain.text('apple_pay_host').notNull().default(''),
    applePayRefusal: plain.text('apple_pay_refusal').notNull().default(''),
    applePayNextAt: plain.integer('apple_pay_next_at'),
    takesGooglePay: plain.integer('takes_google_pay', { mode: 'boolean' }).notNull().default(false),
  },
);

export const users = table(
  'users',
  {
    row: 'one member of staff',
    lifetime: {
      row: 'as long as the account',
      rules: [
        blankAfter('last_login_at', TWO_YEARS, {
          what: '`email` and `name`',
          set: "email = '', name = ''",
          index: 'users_with_email',
          when: "email <> ''",
        }),
      ],
      why: 'refunds and batches refer to the id; a login fills in the email address again',
    },
    copies: 'export and dump',
  },
  {
    accountId: plain.integer('account_id').notNull(),
    userId: plain.integer('user_id').notNull(),
    email: personal.text('email').notNull(),
    lastLoginAt: plain.integer('last_login_at').notNull(),
    crmUserId: plain.integer('crm_user_id'),
    name: personal.text('name').notNull().default(''),
    role: plain.text('role', { enum: staffRoles }).notNull().default('desk'),
    isConfirmed: plain.integer('is_confirmed', { mode: 'boolean' }).notNull().default(true),
    removedAt: plain.integer('removed_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.userId] })],
);

export const sessions = table(
  'sessions',
  {
    row: 'one browser that is logged in',
    lifetime: {
      rules: [deleteAfter('ends_at', 7 * DAY, 'sessions_end')],
      why: 'an ended session opens nothing; for a week it shows who was logged in, in case of an incident',
    },
    copies: { none: 'sessions are capabilities: staff log in again' },
    key: ['id'],
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    userId: plain.integer('user_id').notNull(),
    refreshTokenHash: plain.text('companion_hash').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    seenAt: plain.integer('seen_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    revokedAt: plain.integer('revoked_at'),
    label: plain.text('label').notNull().default(''),
    beganBy: plain.text('began_by', { enum: sessionBeginnings }).notNull().default('crm'),
    provedAt: plain.integer('proved_at'),
    proof: plain.text('proof', { enum: proofKinds }),
  },
);

export const staffInvitations = table(
  'invitations',
  {
    row: 'one invitation to the team',
    lifetime: {
      rules: [deleteAtEnd()],
      why: 'valid for 7 days, once, while the inviter is an administrator',
    },
    copies: { none: 'invitations are capabilities: an administrator sends new ones' },
    key: ['id'],
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    email: personal.text('email').notNull(),
    name: personal.text('name').notNull(),
    role: plain.text('role', { enum: staffRoles }).notNull(),
    secretHash: plain.text('secret_hash').notNull(),
    invitedBy: plain.integer('invited_by'),
    createdAt: plain.integer('created_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    endedAt: plain.integer('ended_at'),
  },
);

export const loginStates = table(
  'login_states',
  {
    row: 'one CRM login in progress',
    lifetime: { rules: [deleteAtEnd('login_states_end')], why: 'valid for 10 minutes, once' },
    copies: { none: 'valid for minutes only' },
  },
  {
    stateHash: plain.text('state_hash').primaryKey(),
    verifier: plain.text('verifier').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    origin: plain.text('origin').notNull().default(''),
  },
);

export const handoffCodes = table(
  'handoff_codes',
  {
    row: 'one CRM login, to be completed at the origin where it began',
    lifetime: { rules: [deleteAtEnd('handoff_codes_end')], why: 'valid for 60 seconds, once' },
    copies: { none: 'valid for a minute only' },
  },
  {
    codeHash: plain.text('code_hash').primaryKey(),
    stateHash: plain.text('state_hash').notNull(),
    accountId: plain.integer('account_id').notNull(),
    userId: plain.integer('user_id').notNull(),
    email: personal.text('email').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
  },
);

export const merchantStatuses = [
  'applying',
  'applied',
  'pended',
  'in-review',
  'approved',
  'declined',
  'boarded',
] as const;

export const merchants = table(
  'merchants',
  {
    row: `an account's merchant account at the card provider`,
    lifetime: withAccount('one row per account'),
    copies: 'export and dump',
    evidence: true,
  },
  {
    accountId: plain.integer('account_id').primaryKey(),
    name: plain.text('name').notNull(),
    merchantNumber: plain.text('merchant_number'),
    signupUrl: capability.text('signup_url').notNull().default(''),
    status: plain.text('status', { enum: merchantStatuses }).notNull().default('applying'),
    claimedAt: plain.integer('claimed_at').notNull(),
    footerText: plain.text('footer_text').notNull().default(''),
  },
);

export const merchantLogs = table(
  'merchant_logs',
  {
    row: 'one card provider message about a merchant; staff see those since the application (`merchants.claimed_at`)',
    lifetime: {
      rules: [deleteAfter('at', SEVEN_YEARS)],
      why: 'it documents the application for the merchant account; the hash stops a repeat from counting twice',
    },
    copies: 'export and dump',
  },
  {
    accountId: plain.integer('account_id').notNull(),
    messageHash: plain.text('message_hash').notNull(),
    event: plain.text('event').notNull(),
    at: plain.integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.messageHash] })],
);

const providerSecret = column({ staysHere: 'a secret of the card provider, which sends it again' });

export const terminals = table(
  'terminals',
  {
    row: 'one terminal of a boarded merchant',
    lifetime: withAccount('its key takes payments, and payments refer to it'),
    copies: 'export and dump',
    evidence: true,
    key: ['account_id', 'terminal_id'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    terminalId: plain.text('terminal_id').notNull(),
    name: plain.text('name').notNull(),
    channel: plain.text('channel', { enum: ['ecommerce', 'counter'] }).notNull(),
    publicKey: plain.text('public_key').notNull(),
    apiKey: providerSecret.text('api_key').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    heardAt: plain.integer('heard_at'),
    refusedAt: plain.integer('refused_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.terminalId] })],
);
