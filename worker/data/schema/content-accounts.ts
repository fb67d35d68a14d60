import { roles } from '#shared/contracts/content/content-values';
import { atItsEnd, DAY, deleteAfter } from './lifetime.ts';
import { personal, plain, table } from './table.ts';

/** Accounts of the content area, and what logs them in. */

export const contentUsers = table(
  'content_users',
  {
    row: 'an account of the content area',
    lifetime: {
      row: 'until an owner removes it',
      rules: [deleteAfter('created_at', 30 * DAY, 'content_users_waiting', "status <> 'active'")],
      why: 'an account in use; nobody waits longer for an approval',
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
    row: 'a browser that is logged in there',
    lifetime: {
      rules: [deleteAfter('ends_at', 7 * DAY, 'content_sessions_end')],
      why: 'as with merchants’ sessions',
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
    row: 'a passkey of such an account, its second factor',
    lifetime: { row: 'with the account', rules: [], why: 'public keys, which open nothing by themselves' },
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
    row: 'a code for the day on which the passkeys are lost',
    lifetime: { row: 'with the account, or until new ones are made', rules: [], why: 'each works once' },
    copies: { none: 'people make new ones with their passkey' },
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
    row: 'that the set-up code was used',
    lifetime: { row: 'for ever', rules: [], why: 'the code works once' },
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
    row: 'a person who was invited',
    lifetime: {
      rules: [atItsEnd('content_invitations_end')],
      why: 'good for 7 days, once, while its author is an owner',
    },
    copies: { none: 'good for some days: people are invited again' },
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
    row: 'a request for a new password',
    lifetime: { rules: [atItsEnd('content_resets_end')], why: 'good for 1 hour, once' },
    copies: { none: 'good for an hour' },
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
    row: 'failed tries of one account, address or browser',
    lifetime: { rules: [atItsEnd('content_throttles_end')], why: 'tries count no longer then' },
    copies: { none: 'counts of the last hours' },
  },
  {
    key: plain.text('key').primaryKey(),
    tries: plain.integer('tries').notNull(),
    openAt: plain.integer('open_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
  },
);
