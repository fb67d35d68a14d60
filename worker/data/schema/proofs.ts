import { primaryKey } from 'drizzle-orm/sqlite-core';
import { DAY, deleteAfter, deleteAtEnd, freeText, personal, plain, replayKey, SEVEN_YEARS, table } from './table.ts';

/** Proofs of staff: passkeys, PINs, mailed codes and approvals. */

export const staffPasskeys = table(
  'staff_passkeys',
  {
    row: 'one passkey of a member of staff',
    lifetime: {
      row: 'until it is removed, or its owner from the team',
      rules: [],
      why: 'a public key opens nothing by itself; its owner logs in with it',
    },
    copies: { only: 'dump', why: 'each has a handle, which is a capability: staff make new ones with a mailed code' },
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    userId: plain.integer('user_id').notNull(),
    handle: plain.text('handle').notNull(),
    publicKey: plain.text('public_key').notNull(),
    counter: plain.integer('counter').notNull(),
    transports: plain.text('transports').notNull(),
    label: personal.text('label').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    usedAt: plain.integer('used_at'),
  },
);
export type StaffPasskeyRow = typeof staffPasskeys.$inferSelect;

export const pins = table(
  'pins',
  {
    row: 'the PIN of one member of staff',
    lifetime: {
      row: 'until it is removed, or its owner from the team',
      rules: [],
      why: 'a slow hash that never leaves the clinic’s database',
    },
    copies: { none: 'a hash of six digits is quickly guessed: staff choose new PINs with a mailed code' },
    key: ['account_id', 'user_id'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    userId: plain.integer('user_id').notNull(),
    hash: plain.text('hash').notNull(),
    wrongTries: plain.integer('wrong_tries').notNull().default(0),
    lockedUntil: plain.integer('locked_until').notNull().default(0),
    setAt: plain.integer('set_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.userId] })],
);

export const factorCodes = table(
  'factor_codes',
  {
    row: 'one mailed code for a first passkey or PIN',
    lifetime: {
      rules: [deleteAfter('created_at', DAY)],
      why: 'valid for 10 minutes, once; a person gets at most five an hour',
    },
    copies: { none: 'valid for ten minutes only' },
    key: ['id'],
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    userId: plain.integer('user_id').notNull(),
    sessionId: plain.text('session_id').notNull(),
    codeHash: plain.text('code_hash').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    tries: plain.integer('tries').notNull().default(0),
    takenAt: plain.integer('taken_at'),
  },
);

export const takenChallenges = table(
  'taken_challenges',
  {
    row: 'one challenge that a passkey answered',
    lifetime: {
      rules: [deleteAtEnd()],
      why: 'a challenge is valid once, and never after its end',
    },
    copies: { none: 'valid for five minutes only' },
    key: ['challenge'],
  },
  {
    challenge: plain.text('challenge').primaryKey(),
    endsAt: plain.integer('ends_at').notNull(),
  },
);

export const approvals = table(
  'approvals',
  {
    row: 'one refund or void that needs the approval of a second person',
    lifetime: {
      rules: [deleteAfter('requested_at', SEVEN_YEARS, 'approvals_asked')],
      why: 'it shows who approved the refund or void',
    },
    copies: 'export and dump',
    evidence: true,
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    attemptId: plain.text('attempt_id').notNull(),
    kind: plain.text('kind', { enum: ['void', 'refund'] }).notNull(),
    amountCents: plain.integer('amount_cents').notNull(),
    reason: freeText.text('reason').notNull(),
    requestKey: replayKey.text('request_key').notNull(),
    requestedBy: plain.integer('requested_by').notNull(),
    requestedAt: plain.integer('requested_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    state: plain
      .text('state', { enum: ['waiting', 'approved', 'refused', 'ended'] })
      .notNull()
      .default('waiting'),
    decidedBy: plain.integer('decided_by'),
    decidedAt: plain.integer('decided_at'),
    decisionNote: freeText.text('decision_note').notNull().default(''),
    nextTryAt: plain.integer('next_try_at'),
  },
);
export type ApprovalRow = typeof approvals.$inferSelect;
