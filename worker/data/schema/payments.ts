import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { signings } from '#shared/contracts/signing-values';
import { languages } from '#shared/words/language';

export const attemptStates = [
  'sent',
  'approved',
  'declined',
  'rejected',
  'pending',
  'unknown',
  'not_charged',
  'needs_human',
  'returned',
  'cancelled',
  'timed_out',
  'voided',
  'refunded',
] as const;
export type AttemptState = (typeof attemptStates)[number];

export const paymentAttempts = sqliteTable('payment_attempts', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  invoiceId: text('invoice_id').notNull(),
  collection: integer('collection').notNull(),
  payId: text('pay_id'),
  terminalId: text('terminal_id').notNull(),
  channel: text('channel', { enum: ['link', 'terminal'] }).notNull(),
  method: text('method', { enum: ['card', 'ach'] }).notNull(),
  amountCents: integer('amount_cents').notNull(),
  currency: text('currency').notNull(),
  invoiceNumber: text('invoice_number').notNull(),
  dedupeKey: text('dedupe_key').notNull(),
  attemptKey: text('attempt_key'),
  tokenHash: text('token_hash'),
  receiptId: text('receipt_id').notNull(),
  receiptTo: text('receipt_to').notNull().default(''),
  state: text('state', { enum: attemptStates }).notNull().default('sent'),
  /** The state it left for `needs_human`; empty if it never did. */
  needsHumanFrom: text('needs_human_from').notNull().default(''),
  payerFirstName: text('payer_first_name').notNull().default(''),
  payerLastName: text('payer_last_name').notNull().default(''),
  payerAddress: text('payer_address').notNull().default(''),
  payerAddress2: text('payer_address2').notNull().default(''),
  payerCity: text('payer_city').notNull().default(''),
  payerState: text('payer_state').notNull().default(''),
  payerZip: text('payer_zip').notNull().default(''),
  signatureKey: text('signature_key'),
  ipKey: text('ip_key').notNull().default(''),
  providerTxnId: text('provider_txn_id'),
  exchangeId: text('exchange_id').notNull().default(''),
  authCode: text('auth_code').notNull().default(''),
  cardBrand: text('card_brand').notNull().default(''),
  cardLastFour: text('card_last_four').notNull().default(''),
  cardMasked: text('card_masked').notNull().default(''),
  result: text('result').notNull().default(''),
  message: text('message').notNull().default(''),
  providerCode: text('provider_code').notNull().default(''),
  feeCents: integer('fee_cents'),
  refundedCents: integer('refunded_cents').notNull().default(0),
  startedBy: text('started_by').notNull().default(''),
  /** Why the gateway attempted nothing; empty in all other cases. */
  refusal: text('refusal', { enum: ['', 'offline', 'busy', 'validation', 'credentials'] })
    .notNull()
    .default(''),
  holdUntil: integer('hold_until').notNull(),
  nextCheckAt: integer('next_check_at'),
  checks: integer('checks').notNull().default(0),
  emptyChecks: integer('empty_checks').notNull().default(0),
  checkedAt: integer('checked_at'),
  createdAt: integer('created_at').notNull(),
  timeZone: text('time_zone').notNull().default('UTC'),
  day: text('day').notNull().default(''),
  settledAt: integer('settled_at'),
  signedBy: text('signed_by', { enum: ['', ...signings] })
    .notNull()
    .default(''),
  signedWords: text('signed_words').notNull().default(''),
  billedTo: text('billed_to').notNull().default(''),
  payerLanguage: text('payer_language', { enum: ['', ...languages] })
    .notNull()
    .default(''),
  billLines: text('bill_lines').notNull().default(''),
  part: integer('part').notNull().default(1),
  /** The gateway counts a charge under its key, although nothing came of it. */
  keySpent: integer('key_spent', { mode: 'boolean' }).notNull().default(false),
  /** Of what was given back, what went back before the last installment (cents). */
  owedAgainCents: integer('owed_again_cents').notNull().default(0),
});

export type Attempt = typeof paymentAttempts.$inferSelect;

export const ledger = sqliteTable(
  'ledger',
  {
    accountId: integer('account_id').notNull(),
    providerTxnId: text('provider_txn_id').notNull(),
    attemptId: text('attempt_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    kind: text('kind', { enum: ['payment', 'refund', 'void', 'return'] }).notNull(),
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    channel: text('channel').notNull(),
    method: text('method').notNull(),
    brand: text('brand').notNull(),
    at: integer('at').notNull(),
    day: text('day').notNull().default(''),
    hour: integer('hour'),
    /** It corrects a refund that is booked, and is none of its own. */
    corrects: integer('corrects', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.providerTxnId, table.method] })],
);
