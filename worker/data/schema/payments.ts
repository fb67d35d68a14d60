import { primaryKey } from 'drizzle-orm/sqlite-core';
import { signings } from '#shared/contracts/payments/signing-values';
import { wallets } from '#shared/contracts/payments/wallet-values';
import { languages } from '#shared/words/language';
import {
  blankAfter,
  capability,
  column,
  DAY,
  deleteAfter,
  personal,
  plain,
  replayKey,
  TWO_YEARS,
  table,
  withAccount,
} from './table.ts';

const networkAddress = column({
  personal: true,
  staysHere: 'a payer’s network address as a hash, for hourly limits',
});

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

export const OPEN_STATES = "('sent', 'unknown', 'pending', 'needs_human')";
/** The condition of the index payment_attempts_with_payer, word for word, or SQLite does not use the index. */
export const WITH_PAYER = `(signature_key IS NOT NULL OR payer_first_name || payer_last_name || payer_address || payer_address2
    || payer_city || payer_state || payer_zip || receipt_to || started_by <> '')`;

export const paymentAttempts = table(
  'payment_attempts',
  {
    row: 'one attempt to charge one invoice; a charge is possible from the moment the row exists',
    lifetime: {
      row: 'at least 7 years; no job deletes it',
      rules: [
        {
          does: 'blank',
          what:
            'the payer’s name, address and receipt address, the person who started it, the billed customer, ' +
            'the line items, and the signature with its text',
          column: 'settled_at',
          ms: TWO_YEARS,
          apart: true,
        },
        blankAfter('created_at', 90 * DAY, {
          what: '`ip_key`',
          set: "ip_key = ''",
          index: 'payment_attempts_with_ip',
          when: "ip_key <> ''",
        }),
      ],
      why:
        'tax law requires records of money for up to seven years; token hash and dedupe key stay forever, ' +
        'because they make a replay harmless; the payer’s data are for disputes, for which card schemes allow ' +
        '540 days and the rules of bank debits two years; the hashed network address is for hourly limits, ' +
        'and for the later search for a card tester',
    },
    copies: 'export and dump',
    evidence: true,
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    collection: plain.integer('collection').notNull(),
    payId: capability.text('pay_id'),
    terminalId: plain.text('terminal_id').notNull(),
    channel: plain.text('channel', { enum: ['link', 'terminal'] }).notNull(),
    method: plain.text('method', { enum: ['card', 'ach'] }).notNull(),
    wallet: plain
      .text('wallet', { enum: ['', ...wallets] })
      .notNull()
      .default(''),
    amountCents: plain.integer('amount_cents').notNull(),
    currency: plain.text('currency').notNull(),
    invoiceNumber: plain.text('invoice_number').notNull(),
    dedupeKey: plain.text('dedupe_key').notNull(),
    attemptKey: replayKey.text('attempt_key'),
    tokenHash: replayKey.text('token_hash'),
    receiptId: capability.text('receipt_id').notNull(),
    receiptTo: personal.text('receipt_to').notNull().default(''),
    state: plain.text('state', { enum: attemptStates }).notNull().default('sent'),
    /** The state before `needs_human`; empty if it never reached that state. */
    needsHumanFrom: plain.text('needs_human_from').notNull().default(''),
    payerFirstName: personal.text('payer_first_name').notNull().default(''),
    payerLastName: personal.text('payer_last_name').notNull().default(''),
    payerAddress: personal.text('payer_address').notNull().default(''),
    payerAddress2: personal.text('payer_address2').notNull().default(''),
    payerCity: personal.text('payer_city').notNull().default(''),
    payerState: personal.text('payer_state').notNull().default(''),
    payerZip: personal.text('payer_zip').notNull().default(''),
    signatureKey: personal.text('signature_key'),
    ipKey: networkAddress.text('ip_key').notNull().default(''),
    providerTxnId: plain.text('provider_txn_id'),
    exchangeId: plain.text('exchange_id').notNull().default(''),
    authCode: plain.text('auth_code').notNull().default(''),
    cardBrand: plain.text('card_brand').notNull().default(''),
    cardLastFour: plain.text('card_last_four').notNull().default(''),
    cardMasked: plain.text('card_masked').notNull().default(''),
    result: plain.text('result').notNull().default(''),
    message: plain.text('message').notNull().default(''),
    providerCode: plain.text('provider_code').notNull().default(''),
    avsResult: plain.text('avs_result').notNull().default(''),
    cscResult: plain.text('csc_result').notNull().default(''),
    feeCents: plain.integer('fee_cents'),
    refundedCents: plain.integer('refunded_cents').notNull().default(0),
    startedBy: personal.text('started_by').notNull().default(''),
    /** The reason why the gateway attempted no charge; empty in all other cases. */
    refusal: plain
      .text('refusal', { enum: ['', 'offline', 'busy', 'validation', 'credentials'] })
      .notNull()
      .default(''),
    holdUntil: plain.integer('hold_until').notNull(),
    nextCheckAt: plain.integer('next_check_at'),
    checks: plain.integer('checks').notNull().default(0),
    emptyChecks: plain.integer('empty_checks').notNull().default(0),
    checkedAt: plain.integer('checked_at'),
    createdAt: plain.integer('created_at').notNull(),
    timeZone: plain.text('time_zone').notNull().default('UTC'),
    day: plain.text('day').notNull().default(''),
    settledAt: plain.integer('settled_at'),
    signedBy: plain
      .text('signed_by', { enum: ['', ...signings] })
      .notNull()
      .default(''),
    signedWords: personal.text('signed_words').notNull().default(''),
    billedTo: personal.text('billed_to').notNull().default(''),
    payerLanguage: plain
      .text('payer_language', { enum: ['', ...languages] })
      .notNull()
      .default(''),
    billLines: personal.text('bill_lines').notNull().default(''),
    part: plain.integer('part').notNull().default(1),
    /** True if the gateway may have used this dedupe key, although the attempt ended without a charge. */
    keySpent: plain.integer('key_spent', { mode: 'boolean' }).notNull().default(false),
    /** Cents refunded or voided before the last installment, and therefore owed again. */
    owedAgainCents: plain.integer('owed_again_cents').notNull().default(0),
  },
);

export type Attempt = typeof paymentAttempts.$inferSelect;

export const ledger = table(
  'ledger',
  {
    row: 'one movement of money',
    lifetime: {
      row: 'at least 7 years; no job deletes it',
      rules: [],
      why: 'triggers refuse changes and deletion; the rule against double charges depends on it; it names no person',
    },
    copies: 'export and dump',
    evidence: true,
  },
  {
    accountId: plain.integer('account_id').notNull(),
    providerTxnId: plain.text('provider_txn_id').notNull(),
    attemptId: plain.text('attempt_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    kind: plain.text('kind', { enum: ['payment', 'refund', 'void', 'return'] }).notNull(),
    amountCents: plain.integer('amount_cents').notNull(),
    currency: plain.text('currency').notNull(),
    channel: plain.text('channel').notNull(),
    method: plain.text('method').notNull(),
    brand: plain.text('brand').notNull(),
    at: plain.integer('at').notNull(),
    day: plain.text('day').notNull().default(''),
    hour: plain.integer('hour'),
    /** True for the correction of a booked refund, which is not a refund itself. */
    corrects: plain.integer('corrects', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.providerTxnId, table.method] })],
);

/** Batch closes. */

export const batchCloses = table(
  'batch_closes',
  {
    row: 'one request of staff to close a batch',
    lifetime: withAccount('it stops a late second press from closing the next batch; it names no customer'),
    copies: 'export and dump',
    evidence: true,
  },
  {
    accountId: plain.integer('account_id').notNull(),
    terminalId: plain.text('terminal_id').notNull(),
    batchId: plain.text('batch_id').notNull(),
    state: plain
      .text('state', { enum: ['sent', 'unknown', 'processing', 'closed', 'failed'] })
      .notNull()
      .default('sent'),
    requestedBy: plain.integer('requested_by').notNull(),
    requestedAt: plain.integer('requested_at').notNull(),
    endedAt: plain.integer('ended_at'),
    message: plain.text('message').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.terminalId, table.batchId] })],
);
export type BatchClose = typeof batchCloses.$inferSelect;

/** Page views of an invoice, and batches. */

export const linkOpenings = table(
  'page_views',
  {
    row: 'one load of a pay page that a person viewed',
    lifetime: {
      rules: [deleteAfter('at', 400 * DAY, 'page_views_at')],
      why: 'thirteen months, as long as an ended pay link',
    },
    copies: 'export and dump',
    key: ['account_id', 'invoice_id', 'load_id'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    loadId: plain.text('load_id').notNull(),
    at: plain.integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId, table.loadId] })],
);

export const batches = table(
  'batches',
  {
    row: 'one batch of a terminal, as the card provider last showed it',
    lifetime: withAccount('the card provider’s totals, which name no customer'),
    copies: 'export and dump',
    evidence: true,
  },
  {
    accountId: plain.integer('account_id').notNull(),
    terminalId: plain.text('terminal_id').notNull(),
    batchId: plain.text('batch_id').notNull(),
    status: plain.text('status').notNull(),
    openedAt: plain.integer('opened_at'),
    settledAt: plain.integer('settled_at'),
    netCents: plain.integer('net_cents'),
    confirmationCode: plain.text('confirmation_code').notNull().default(''),
    fundedOn: plain.text('funded_on'),
    depositCents: plain.integer('deposit_cents'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.terminalId, table.batchId] })],
);

/**
 * Payments and reversals with an unknown outcome. The partial indexes have this condition word for word, or SQLite
 * would not use them.
 */
export const UNDECIDED = "state IN ('sent', 'unknown', 'needs_human')";
