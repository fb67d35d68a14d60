import { atItsEnd, DAY, deleteAfter } from './lifetime.ts';
import { plain, table } from './table.ts';

/** People who run the installation, and what they switched; not part of schema.ts, so that payers never load it. */

export const operators = table(
  'operators',
  {
    row: 'a person who runs the installation',
    lifetime: { row: 'until an operator removes it', rules: [], why: 'who runs the installation' },
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
    row: 'a passkey of an operator',
    lifetime: { row: 'with the operator', rules: [], why: 'public keys, which open nothing by themselves' },
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
    row: 'a browser in which an operator is signed in',
    lifetime: {
      rules: [deleteAfter('ends_at', 7 * DAY, 'operator_sessions_end')],
      why: 'as with merchants’ sessions',
    },
    copies: { none: 'people log in again' },
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
    row: 'a code that makes an operator',
    lifetime: {
      row: 'for ever where it is the set-up code, which has no `ends_at`',
      rules: [atItsEnd('operator_codes_end')],
      why: 'good for 24 hours, once; the set-up code works once',
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
    row: 'a challenge that a passkey answered',
    lifetime: { rules: [atItsEnd('operator_challenges_end')], why: 'good for 5 minutes, once' },
    copies: { none: 'good for some minutes' },
  },
  {
    challenge: plain.text('challenge').primaryKey(),
    endsAt: plain.integer('ends_at').notNull(),
  },
);

export const paymentSwitch = table(
  'payment_switch',
  {
    row: 'whether online payments are paused (one row, or none yet)',
    lifetime: { row: 'for ever', rules: [], why: 'one row' },
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
