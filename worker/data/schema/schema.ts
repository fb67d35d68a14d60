import { sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export * from './content.ts';
export * from './crm-sync.ts';
export * from './merchants.ts';
export * from './reconciliation.ts';

/**
 * The tables as drizzle sees them. The SQL in migrations/ is written by hand (STRICT, partial indexes and triggers carry
 * the money rules, which the generator cannot express); schema.test.ts holds the two against each other.
 */

export const accounts = sqliteTable('hubs', {
  accountId: integer('hub_id').primaryKey(),
  name: text('name').notNull(),
  domain: text('domain').notNull(),
  timeZone: text('time_zone').notNull(),
  address: text('address').notNull().default(''),
  phone: text('phone').notNull().default(''),
  email: text('email').notNull().default(''),
  connectedAt: integer('connected_at').notNull(),
});

export const crmTokens = sqliteTable('crm_tokens', {
  accountId: integer('hub_id').primaryKey(),
  accessToken: text('access_token').notNull(),
  refreshToken: text('refresh_token').notNull(),
  expiresAt: integer('expires_at').notNull(),
  scopes: text('scopes').notNull(),
  version: integer('version').notNull().default(1),
  leaseUntil: integer('lease_until').notNull().default(0),
  revokedAt: integer('revoked_at'),
});

export const terminals = sqliteTable(
  'terminals',
  {
    accountId: integer('hub_id').notNull(),
    terminalId: text('terminal_id').notNull(),
    name: text('name').notNull(),
    channel: text('channel', { enum: ['ecommerce', 'counter'] }).notNull(),
    publicKey: text('public_key').notNull(),
    apiKey: text('api_key').notNull(),
    createdAt: integer('created_at').notNull(),
    heardAt: integer('heard_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.terminalId] })],
);

/** What our own ledger says of an invoice; anything but `none` lies over the CRM's status. */
export const overlays = ['none', 'submitted', 'paid', 'refunded', 'voided', 'returned'] as const;

export const invoices = sqliteTable(
  'invoices',
  {
    accountId: integer('hub_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    number: text('number').notNull(),
    status: text('status').notNull(),
    currency: text('currency').notNull(),
    balanceCents: integer('balance_cents'),
    billedCents: integer('billed_cents'),
    dueDate: text('due_date'),
    invoiceDate: text('invoice_date'),
    contactId: text('contact_id').notNull().default(''),
    contactFirstName: text('contact_first_name').notNull().default(''),
    contactLastName: text('contact_last_name').notNull().default(''),
    contactEmail: text('contact_email').notNull().default(''),
    companyId: text('company_id').notNull().default(''),
    companyName: text('company_name').notNull().default(''),
    companyAddress: text('company_address').notNull().default(''),
    companyCity: text('company_city').notNull().default(''),
    companyState: text('company_state').notNull().default(''),
    companyZip: text('company_zip').notNull().default(''),
    createdAt: integer('created_at').notNull().default(0),
    modifiedAt: integer('modified_at').notNull().default(0),
    readAt: integer('read_at').notNull(),
    seenPass: integer('seen_pass').notNull().default(0),
    goneAt: integer('gone_at'),
    collection: integer('collection').notNull().default(1),
    overlay: text('overlay', { enum: overlays }).notNull().default('none'),
    shownStatus: text('shown_status').generatedAlwaysAs(sql``, { mode: 'virtual' }),
    shownBalanceCents: integer('shown_balance_cents').generatedAlwaysAs(sql``, { mode: 'virtual' }),
    idNumber: integer('id_number').generatedAlwaysAs(sql``, { mode: 'virtual' }),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId] })],
);

export const payLinks = sqliteTable('pay_links', {
  payId: text('pay_id').primaryKey(),
  accountId: integer('hub_id').notNull(),
  invoiceId: text('invoice_id').notNull(),
  state: text('state', { enum: ['live', 'revoked', 'ended'] })
    .notNull()
    .default('live'),
  issuedAt: integer('issued_at').notNull(),
  endsAt: integer('ends_at').notNull(),
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

export const paymentAttempts = sqliteTable('payment_attempts', {
  id: text('id').primaryKey(),
  accountId: integer('hub_id').notNull(),
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
  holdUntil: integer('hold_until').notNull(),
  nextCheckAt: integer('next_check_at'),
  checks: integer('checks').notNull().default(0),
  emptyChecks: integer('empty_checks').notNull().default(0),
  createdAt: integer('created_at').notNull(),
  timeZone: text('time_zone').notNull().default('UTC'),
  day: text('day').notNull().default(''),
  settledAt: integer('settled_at'),
  /** Why nothing was attempted; empty for a payer's link. */
  refusal: text('refusal', { enum: ['', 'offline', 'busy', 'validation', 'credentials'] })
    .notNull()
    .default(''),
  checkedAt: integer('checked_at'),
  /** The state it left for `needs_human`; empty while it never did. */
  needsHumanFrom: text('needs_human_from').notNull().default(''),
});
export type Attempt = typeof paymentAttempts.$inferSelect;

export const ledger = sqliteTable(
  'ledger',
  {
    accountId: integer('hub_id').notNull(),
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
  },
  (table) => [primaryKey({ columns: [table.accountId, table.providerTxnId] })],
);

export const dailyTotals = sqliteTable(
  'daily_totals',
  {
    accountId: integer('hub_id').notNull(),
    day: text('day').notNull(),
    netCents: integer('net_cents').notNull().default(0),
    methods: text('methods').notNull().default('{}'),
    statuses: text('statuses').notNull().default('{}'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day] })],
);

export const mailKinds = [
  'receipt',
  'pay-link',
  'crm-receipt',
  'sign-up',
  'invitation',
  'password-reset',
  'address-known',
] as const;

export const outbox = sqliteTable('outbox', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: mailKinds }).notNull(),
  recipient: text('recipient').notNull(),
  accountId: integer('hub_id'),
  attemptId: text('attempt_id'),
  invoiceId: text('invoice_id'),
  details: text('details').notNull().default('{}'),
  state: text('state', { enum: ['due', 'sent', 'failed'] })
    .notNull()
    .default('due'),
  tries: integer('tries').notNull().default(0),
  nextTryAt: integer('next_try_at').notNull(),
  createdAt: integer('created_at').notNull(),
  sentAt: integer('sent_at'),
});

export const invoiceSignatures = sqliteTable(
  'invoice_signatures',
  {
    accountId: integer('hub_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    imageKey: text('image_key').notNull(),
    savedAt: integer('saved_at').notNull(),
    savedBy: integer('saved_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId] })],
);

/** How many rows a list has, in all (`*`) and of each shown status; triggers keep it. */
export const listCounts = sqliteTable(
  'list_counts',
  {
    accountId: integer('hub_id').notNull(),
    list: text('list', { enum: ['invoices', 'open-invoices', 'customers'] }).notNull(),
    status: text('status').notNull(),
    n: integer('n').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.list, table.status] })],
);
