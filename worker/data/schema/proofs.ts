import { primaryKey } from 'drizzle-orm/sqlite-core';
import { atItsEnd, DAY, deleteAfter, SEVEN_YEARS } from './lifetime.ts';
import { freeText, personal, plain, replayKey, table } from './table.ts';

/** By what staff prove who they are; not part of schema.ts, so that payers never load it. */

export const staffPasskeys = table(
  'staff_passkeys',
  {
    row: 'a passkey of a person',
    lifetime: {
      row: 'until it is removed, or its person from the team',
      rules: [],
      why: 'a public key, which opens nothing by itself; its person logs in by it',
    },
    copies: { only: 'dump', why: 'each names its person by a capability: people make new ones, with a mailed code' },
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
    row: 'a person’s PIN',
    lifetime: {
      row: 'until it is removed, or its person from the team',
      rules: [],
      why: 'a slow hash, which leaves the clinic’s database never',
    },
    copies: { none: 'six digits are soon guessed from a hash: people choose new ones, with a mailed code' },
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
    row: 'a code mailed for a first passkey or PIN',
    lifetime: {
      rules: [deleteAfter('created_at', DAY, 'factor_codes_created')],
      why: 'good for 10 minutes, once; a person gets at most five in an hour',
    },
    copies: { none: 'codes of ten minutes' },
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
    row: 'a challenge that a passkey has answered',
    lifetime: {
      rules: [atItsEnd('taken_challenges_end')],
      why: 'a challenge is answered once, and after its end never',
    },
    copies: { none: 'challenges of five minutes' },
  },
  {
    challenge: plain.text('challenge').primaryKey(),
    endsAt: plain.integer('ends_at').notNull(),
  },
);

export const approvals = table(
  'approvals',
  {
    row: 'a refund or void that waits for a second person, or was decided by one',
    lifetime: {
      rules: [deleteAfter('requested_at', SEVEN_YEARS, 'approvals_asked')],
      why: 'it says who agreed that money went back',
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
    nextTryAt: plain.integer('next_try_at'),
  },
);
export type ApprovalRow = typeof approvals.$inferSelect;
