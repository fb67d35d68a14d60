import { DAY, deleteAfter, deleteAtEnd, plain, table } from './table.ts';

/** Operators of the installation, and the payment switch. */

export const operators = table(
  'operators',
  {
    row: 'one operator of the installation',
    lifetime: { row: 'until an operator removes it', rules: [], why: 'the current operators only' },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.text('id').primaryKey(),
    name: plain.text('name').notNull(),
    invitedBy: plain.text('invited_by').notNull().default(''),
    createdAt: plain.integer('created_at').notNull(),
  },
);

export const operatorPasskeys = table(
  'operator_passkeys',
  {
    row: 'one passkey of an operator',
    lifetime: { row: 'as long as the operator', rules: [], why: 'a public key opens nothing by itself' },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.text('id').primaryKey(),
    operatorId: plain.text('operator_id').notNull(),
    publicKey: plain.text('public_key').notNull(),
    counter: plain.integer('counter').notNull(),
    transports: plain.text('transports').notNull().default('[]'),
    createdAt: plain.integer('created_at').notNull(),
    usedAt: plain.integer('used_at'),
  },
);

export const operatorSessions = table(
  'operator_sessions',
  {
    row: 'one browser in which an operator is signed in',
    lifetime: {
      rules: [deleteAfter('ends_at', 7 * DAY, 'operator_sessions_end')],
      why: 'an ended session opens nothing; for a week it shows who was signed in, in case of an incident',
    },
    copies: { none: 'operators sign in again' },
  },
  {
    id: plain.text('id').primaryKey(),
    operatorId: plain.text('operator_id').notNull(),
    tokenHash: plain.text('token_hash').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    seenAt: plain.integer('seen_at').notNull(),
    provenAt: plain.integer('proven_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    revokedAt: plain.integer('revoked_at'),
  },
);

export const operatorCodes = table(
  'operator_codes',
  {
    row: 'one code that makes its user an operator',
    lifetime: {
      row: 'forever for the setup code, which has no `ends_at`',
      rules: [deleteAtEnd('operator_codes_end')],
      why: 'valid for 24 hours, once; the setup code works once',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    codeHash: plain.text('code_hash').primaryKey(),
    invitedBy: plain.text('invited_by').notNull().default(''),
    createdAt: plain.integer('created_at').notNull(),
    endsAt: plain.integer('ends_at'),
    operatorId: plain.text('operator_id'),
  },
);

export const operatorChallenges = table(
  'operator_challenges',
  {
    row: 'one challenge that a passkey answered',
    lifetime: { rules: [deleteAtEnd('operator_challenges_end')], why: 'valid for 5 minutes, once' },
    copies: { none: 'valid for minutes only' },
  },
  {
    challenge: plain.text('challenge').primaryKey(),
    endsAt: plain.integer('ends_at').notNull(),
  },
);

export const paymentSwitch = table(
  'payment_switch',
  {
    row: 'the switch that pauses online payments (one row, or none yet)',
    lifetime: { row: 'forever', rules: [], why: 'one row' },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.integer('id').primaryKey(),
    state: plain.text('state', { enum: ['open', 'paused'] }).notNull(),
    at: plain.integer('at').notNull(),
    operatorId: plain.text('operator_id').notNull(),
    reason: plain.text('reason').notNull().default(''),
  },
);

export type OperatorRow = typeof operators.$inferSelect;
export type PasskeyRow = typeof operatorPasskeys.$inferSelect;
export type PaymentSwitch = typeof paymentSwitch.$inferSelect;

export const supportViews = table(
  'support_views',
  {
    row: 'one period in which the operator may view the clinic',
    lifetime: {
      rules: [deleteAfter('ends_at', 7 * DAY)],
      why: 'an ended view opens nothing; it stays a week in case of an incident; the audit trail keeps its grant',
    },
    copies: { none: 'the audit trail has the grants; after a restore, no view is open' },
    key: ['id'],
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    grantedBy: plain.integer('granted_by').notNull(),
    grantedAt: plain.integer('granted_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    endedAt: plain.integer('ended_at'),
  },
);
export type SupportViewRow = typeof supportViews.$inferSelect;
