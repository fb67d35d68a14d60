import { blankAfter, deleteAfter, freeText, plain, replayKey, SEVEN_YEARS, table } from './table.ts';

/** Reversals (voids and refunds). */

export const reversalStates = ['sent', 'unknown', 'approved', 'refused', 'not_done', 'needs_human'] as const;
export type ReversalState = (typeof reversalStates)[number];

export const reversals = table(
  'reversals',
  {
    row: 'one void or (partial) refund of a payment, carried out or attempted',
    lifetime: {
      row: 'at least 7 years; no job deletes it',
      rules: [
        blankAfter('created_at', SEVEN_YEARS, {
          what: '`reason`',
          set: "reason = ''",
          index: 'reversals_with_reason',
          when: "reason <> ''",
        }),
      ],
      why: 'a record of money; the reason is free text and may name a person',
    },
    copies: 'export and dump',
    evidence: true,
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    attemptId: plain.text('attempt_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    kind: plain.text('kind', { enum: ['void', 'refund'] }).notNull(),
    amountCents: plain.integer('amount_cents').notNull(),
    dedupeKey: plain.text('dedupe_key').notNull(),
    requestKey: replayKey.text('request_key').notNull(),
    reason: freeText.text('reason').notNull(),
    requestedBy: plain.integer('requested_by').notNull(),
    state: plain.text('state', { enum: reversalStates }).notNull().default('sent'),
    providerTxnId: plain.text('provider_txn_id'),
    exchangeId: plain.text('exchange_id').notNull().default(''),
    message: plain.text('message').notNull().default(''),
    providerCode: plain.text('provider_code').notNull().default(''),
    holdUntil: plain.integer('hold_until').notNull(),
    nextCheckAt: plain.integer('next_check_at'),
    checks: plain.integer('checks').notNull().default(0),
    emptyChecks: plain.integer('empty_checks').notNull().default(0),
    createdAt: plain.integer('created_at').notNull(),
    settledAt: plain.integer('settled_at'),
    batchId: plain.text('batch_id').notNull().default(''),
  },
);
export type Reversal = typeof reversals.$inferSelect;

export const reversalResolutions = table(
  'reversal_resolutions',
  {
    row: 'the finding of staff about one void or refund',
    lifetime: {
      rules: [deleteAfter('at', SEVEN_YEARS, 'reversal_resolutions_at')],
      why: 'it explains the state of a record of money, in the words of staff',
    },
    copies: 'export and dump',
    evidence: true,
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    reversalId: plain.text('reversal_id').notNull(),
    verdict: plain.text('verdict', { enum: ['happened', 'not-happened'] }).notNull(),
    note: freeText.text('note').notNull(),
    resolvedBy: plain.integer('resolved_by').notNull(),
    at: plain.integer('at').notNull(),
  },
);
