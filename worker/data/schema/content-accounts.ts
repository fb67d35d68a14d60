import { roles } from '#shared/contracts/content/content-values';
import { DAY, deleteAfter, deleteAtEnd, personal, plain, table } from './table.ts';

/** Accounts of the content area, and their means of login. */

export const contentUsers = table(
  'content_users',
  {
    row: 'one account of the content area',
    lifetime: {
      row: 'until an owner removes it',
      rules: [deleteAfter('created_at', 30 * DAY, 'content_users_waiting', "status <> 'active'")],
      why: 'an active account is in use; the 30 days apply to an account that was not approved',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.text('id').primaryKey(),
    email: personal.text('email').notNull(),
    name: personal.text('name').notNull(),
    role: plain.text('role', { enum: roles }).notNull().default('editor'),
    status: plain.text('status', { enum: ['active', 'pending', 'decoy'] }).notNull(),
    password: plain.text('password').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    lastLoginAt: plain.integer('last_login_at'),
  },
);

export const contentSessions = table(
  'content_sessions',
  {
    row: 'one browser that is logged in to the content area',
    lifetime: {
      rules: [deleteAfter('ends_at', 7 * DAY, 'content_sessions_end')],
      why: 'an ended session opens nothing; for a week it shows who was logged in, in case of an incident',
    },
    copies: { none: 'people log in again' },
  },
  {
    id: plain.text('id').primaryKey(),
    userId: plain.text('user_id').notNull(),
    refreshTokenHash: plain.text('companion_hash').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    seenAt: plain.integer('seen_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    revokedAt: plain.integer('revoked_at'),
    secondAt: plain.integer('second_at'),
  },
);

export const contentPasskeys = table(
  'content_passkeys',
  {
    row: 'one passkey of a content account, its second factor',
    lifetime: { row: 'as long as the content account', rules: [], why: 'a public key opens nothing by itself' },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.text('id').primaryKey(),
    userId: plain.text('user_id').notNull(),
    publicKey: plain.text('public_key').notNull(),
    counter: plain.integer('counter').notNull(),
    transports: plain.text('transports').notNull(),
    label: plain.text('label').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    usedAt: plain.integer('used_at'),
  },
);
export type ContentPasskeyRow = typeof contentPasskeys.$inferSelect;

export const contentRecoveryCodes = table(
  'content_recovery_codes',
  {
    row: 'one recovery code of a content account, in case of lost passkeys',
    lifetime: { row: 'as long as the content account, or until new codes exist', rules: [], why: 'a code works once' },
    copies: { none: 'members make new codes with their passkey' },
  },
  {
    codeHash: plain.text('code_hash').primaryKey(),
    userId: plain.text('user_id').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    usedAt: plain.integer('used_at'),
  },
);

export const contentSetup = table(
  'content_setup',
  {
    row: 'the use of the setup code',
    lifetime: { row: 'forever', rules: [], why: 'the code works once' },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.integer('id').primaryKey(),
    userId: plain.text('user_id').notNull(),
    usedAt: plain.integer('used_at').notNull(),
  },
);

export const contentInvitations = table(
  'content_invitations',
  {
    row: 'one invitation to the content area',
    lifetime: {
      rules: [deleteAtEnd('content_invitations_end')],
      why: 'valid for 7 days, once, while the inviter is an owner',
    },
    copies: { none: 'valid for days only: an owner sends new invitations' },
  },
  {
    id: plain.text('id').primaryKey(),
    tokenHash: plain.text('token_hash').notNull(),
    email: personal.text('email').notNull(),
    role: plain.text('role', { enum: roles }).notNull(),
    invitedBy: plain.text('invited_by').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    endedAt: plain.integer('ended_at'),
    inviterId: plain.text('inviter_id').notNull().default(''),
  },
);

export const contentResets = table(
  'content_resets',
  {
    row: 'one request for a new password',
    lifetime: { rules: [deleteAtEnd('content_resets_end')], why: 'valid for 1 hour, once' },
    copies: { none: 'valid for one hour only' },
  },
  {
    id: plain.text('id').primaryKey(),
    tokenHash: plain.text('token_hash').notNull(),
    userId: plain.text('user_id').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    usedAt: plain.integer('used_at'),
  },
);

export const contentRateLimits = table(
  'content_throttles',
  {
    row: 'the failed attempts of one account, address or browser',
    lifetime: { rules: [deleteAtEnd('content_throttles_end')], why: 'the attempts no longer count' },
    copies: { none: 'counts of the last hours' },
  },
  {
    key: plain.text('key').primaryKey(),
    tries: plain.integer('tries').notNull(),
    openAt: plain.integer('open_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
  },
);
