import { index, primaryKey } from 'drizzle-orm/sqlite-core';
import {
  blankAfter,
  deleteAfter,
  freeText,
  personal,
  plain,
  SEVEN_YEARS,
  TWO_YEARS,
  table,
  withAccount,
} from './table.ts';

/** Gateway transactions as last read with their verdicts, the cursors of these reads, and the findings of staff. */

export const verdicts = ['none', 'earlier', 'matched', 'only-gateway', 'amount-differs'] as const;

export const gatewayTransactions = table(
  'gateway_transactions',
  {
    row: 'one transaction, as the gateway last showed it',
    lifetime: {
      rules: [
        blankAfter('at', TWO_YEARS, {
          what: '`payer`',
          set: "payer = ''",
          index: 'gateway_transactions_with_payer',
          when: "payer <> ''",
        }),
        deleteAfter('at', SEVEN_YEARS, 'gateway_transactions_without_payer', "payer = ''"),
      ],
      why:
        'a record of money; its name stays as long as the payer’s data of an attempt; ' +
        'reconciliation reads sixty days back, so no deleted row returns',
    },
    copies: 'export and dump',
    evidence: true,
  },
  {
    accountId: plain.integer('account_id').notNull(),
    providerTxnId: plain.text('provider_txn_id').notNull(),
    method: plain.text({ enum: ['card', 'ach'] }).notNull(),
    terminalId: plain.text('terminal_id').notNull(),
    batchId: plain.text('batch_id').notNull(),
    kind: plain.text().notNull(),
    state: plain.text({ enum: ['approved', 'declined', 'pending', 'returned', 'other'] }).notNull(),
    isVoided: plain.integer('is_voided', { mode: 'boolean' }).notNull(),
    amountCents: plain.integer('amount_cents'),
    netAmountCents: plain.integer('net_cents'),
    orderId: plain.text('order_id').notNull(),
    parentId: plain.text('parent_id').notNull(),
    dedupeKey: plain.text('dedupe_key').notNull(),
    card: plain.text().notNull(),
    payer: personal.text().notNull(),
    at: plain.integer(),
    seenAt: plain.integer('seen_at').notNull(),
    verdict: plain.text({ enum: verdicts }).notNull().default('none'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.providerTxnId, table.method] }),
    index('gateway_transactions_batch').on(table.accountId, table.batchId),
  ],
);
export type GatewayRow = typeof gatewayTransactions.$inferSelect;

export const reconciliationCursors = table(
  'reconciliation_cursors',
  {
    row: `the progress of reading a merchant's transactions, by method`,
    lifetime: withAccount('two rows per account'),
    copies: 'export and dump',
    key: ['account_id', 'method'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    method: plain.text({ enum: ['card', 'ach'] }).notNull(),
    readFrom: plain.integer('read_from').notNull(),
    readUntil: plain.integer('read_until').notNull(),
    resumeFrom: plain.integer('resume_from'),
    nextAt: plain.integer('next_at').notNull(),
    leaseUntil: plain.integer('lease_until').notNull().default(0),
    endedAt: plain.integer('ended_at'),
    failingSince: plain.integer('failing_since'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.method] })],
);
export type ReconciliationCursor = typeof reconciliationCursors.$inferSelect;

export const resolutions = table(
  'resolutions',
  {
    row: 'the finding of staff about one payment',
    lifetime: {
      rules: [deleteAfter('at', SEVEN_YEARS, 'resolutions_at')],
      why: 'it explains the state of a record of money, in the words of staff',
    },
    copies: 'export and dump',
    evidence: true,
  },
  {
    id: plain.text().primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    attemptId: plain.text('attempt_id').notNull(),
    /** `not-duplicate`: the payment was intended, although it looks like another one. */
    verdict: plain.text({ enum: ['charged', 'not-charged', 'not-duplicate'] }).notNull(),
    note: freeText.text().notNull(),
    resolvedBy: plain.integer('resolved_by').notNull(),
    at: plain.integer().notNull(),
  },
);
