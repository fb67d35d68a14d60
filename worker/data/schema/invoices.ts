import { sql } from 'drizzle-orm';
import { primaryKey } from 'drizzle-orm/sqlite-core';
import { blankAfter, DAY, deleteAfter, personal, plain, TWO_YEARS, table } from './table.ts';

/** The local status of an invoice; any value but `none` overrides the CRM's status. */
export const localStatuses = ['none', 'submitted', 'paid', 'refunded', 'voided', 'returned'] as const;

const refersTo = (table: string) =>
  `EXISTS (SELECT 1 FROM ${table} p WHERE p.account_id = invoices.account_id AND p.invoice_id = invoices.invoice_id)`;
const IS_REFERRED_TO = ['pay_links', 'payment_attempts', 'collections', 'invoice_signatures']
  .map(refersTo)
  .join(' OR ');
/** The condition of the index invoices_gone_with_names, word for word, or SQLite does not use the index. */
const WITH_NAMES = `deleted_at IS NOT NULL AND contact_first_name || contact_last_name || contact_email || company_name
    || company_address || company_city || company_state || company_zip <> ''`;
const NO_NAMES = `contact_first_name = '', contact_last_name = '', contact_email = '', company_name = '',
    company_address = '', company_city = '', company_state = '', company_zip = '', bill_lines = ''`;

export const invoices = table(
  'invoices',
  {
    row: 'the last copy of one CRM invoice with its contact and company, and its local status',
    lifetime: {
      row: 'as long as the account, once a pay link, payment, collection or signature refers to it',
      rules: [
        {
          does: 'delete',
          column: 'deleted_at',
          ms: 30 * DAY,
          index: 'invoices_gone_with_names',
          when: WITH_NAMES,
          unless: {
            sql: IS_REFERRED_TO,
            say: 'unless one of these refers to it',
          },
        },
        blankAfter('deleted_at', 30 * DAY, {
          what: 'names, email address, address and line items',
          set: NO_NAMES,
          index: 'invoices_gone_with_names',
          when: WITH_NAMES,
        }),
      ],
      why:
        'the CRM can restore a record for some weeks; we keep no personal data that the CRM no longer has; ' +
        'the rest of the row shows that the invoice was paid here',
    },
    copies: 'export and dump',
    dumped: `(local_status <> 'none' OR collection > 1 OR ${IS_REFERRED_TO})`,
  },
  {
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    number: plain.text('number').notNull(),
    status: plain.text('status').notNull(),
    currency: plain.text('currency').notNull(),
    balanceCents: plain.integer('balance_cents'),
    billedCents: plain.integer('billed_cents'),
    dueDate: plain.text('due_date'),
    invoiceDate: plain.text('invoice_date'),
    contactId: plain.text('contact_id').notNull().default(''),
    contactFirstName: personal.text('contact_first_name').notNull().default(''),
    contactLastName: personal.text('contact_last_name').notNull().default(''),
    contactEmail: personal.text('contact_email').notNull().default(''),
    companyId: plain.text('company_id').notNull().default(''),
    companyName: plain.text('company_name').notNull().default(''),
    companyAddress: plain.text('company_address').notNull().default(''),
    companyCity: plain.text('company_city').notNull().default(''),
    companyState: plain.text('company_state').notNull().default(''),
    companyZip: plain.text('company_zip').notNull().default(''),
    createdAt: plain.integer('created_at').notNull().default(0),
    modifiedAt: plain.integer('modified_at').notNull().default(0),
    readAt: plain.integer('read_at').notNull(),
    seenPass: plain.integer('seen_pass').notNull().default(0),
    deletedAt: plain.integer('deleted_at'),
    collection: plain.integer('collection').notNull().default(1),
    localStatus: plain.text('local_status', { enum: localStatuses }).notNull().default('none'),
    shownStatus: plain.text('shown_status').generatedAlwaysAs(sql``, { mode: 'virtual' }),
    shownBalanceCents: plain.integer('shown_balance_cents').generatedAlwaysAs(sql``, { mode: 'virtual' }),
    idNumber: plain.integer('id_number').generatedAlwaysAs(sql``, { mode: 'virtual' }),
    givenBackCents: plain.integer('given_back_cents').notNull().default(0),
    paidAt: plain.integer('paid_at'),
    contactMaskedAddress: personal.text('contact_masked_address').notNull().default(''),
    contactLanguage: plain.text('contact_language').notNull().default(''),
    billLines: personal.text('bill_lines').notNull().default(''),
    partBaseCents: plain.integer('collection_base_cents'),
    partPaidCents: plain.integer('collection_paid_cents').notNull().default(0),
    listBalanceCents: plain.integer('list_balance_cents').generatedAlwaysAs(sql``, { mode: 'virtual' }),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId] })],
);

export const payLinks = table(
  'pay_links',
  {
    row: 'one pay link, by its public pay id',
    lifetime: {
      rules: [deleteAfter('ends_at', 400 * DAY, 'pay_links_end')],
      why:
        'for thirteen months, an old link tells its payer that it has ended; after that, the link is unknown; ' +
        'its payments do not need it',
    },
    copies: { only: 'dump', why: 'links are capabilities: staff issue new ones' },
  },
  {
    payId: plain.text('pay_id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    state: plain
      .text('state', { enum: ['live', 'revoked', 'ended'] })
      .notNull()
      .default('live'),
    issuedAt: plain.integer('issued_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    revokeAt: plain.integer('revoke_at'),
  },
);

export const invoiceSignatures = table(
  'invoice_signatures',
  {
    row: 'one signature that a clinic took on the printed invoice',
    lifetime: {
      row: 'until it is replaced or removed',
      rules: [{ does: 'delete', what: 'row and picture', column: 'saved_at', ms: TWO_YEARS, apart: true }],
      why: 'for disputes, as long as a payer’s signature',
    },
    copies: 'export and dump',
  },
  {
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    imageKey: plain.text('image_key').notNull(),
    savedAt: plain.integer('saved_at').notNull(),
    savedBy: plain.integer('saved_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId] })],
);

/** Collections in installments. */
export const collections = table(
  'collections',
  {
    row: 'one collection of an invoice in installments; a collection without a row is paid in full',
    lifetime: {
      row: 'at least 7 years; no job deletes it',
      rules: [],
      why: 'it has the terms of its installments; a trigger refuses changes to them, and it names no person',
    },
    copies: 'export and dump',
    evidence: true,
  },
  {
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    n: plain.integer('n').notNull(),
    baseCents: plain.integer('base_cents').notNull(),
    minCents: plain.integer('min_cents').notNull(),
    depositCents: plain.integer('deposit_cents'),
    maxParts: plain.integer('max_installments').notNull(),
    paidBeforeCents: plain.integer('paid_before_cents').notNull().default(0),
    crmBalanceCents: plain.integer('crm_balance_cents').notNull(),
    crmBilledCents: plain.integer('crm_billed_cents'),
    state: plain
      .text('state', { enum: ['open', 'frozen', 'closed'] })
      .notNull()
      .default('open'),
    openedBy: plain.integer('opened_by').notNull(),
    openedAt: plain.integer('opened_at').notNull(),
    frozenBalanceCents: plain.integer('frozen_balance_cents'),
    frozenAt: plain.integer('frozen_at'),
    takenBeforeCents: plain.integer('taken_before_cents').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId, table.n] })],
);
export type Collection = typeof collections.$inferSelect;

/** Card tokens that can no longer claim an invoice. */
export const refusedTokens = table(
  'refused_tokens',
  {
    row: 'one card token that can no longer claim an invoice: its payer was told that nothing was charged',
    lifetime: {
      rules: [deleteAfter('refused_at', DAY, 'refused_tokens_at')],
      why: 'any delayed request has ended long before; it names no person',
    },
    copies: { none: 'card tokens of the last day, which no longer open anything' },
    key: ['token_hash'],
  },
  {
    tokenHash: plain.text('token_hash').primaryKey(),
    refusedAt: plain.integer('refused_at').notNull(),
  },
);

/** Form keys that can no longer claim their invoice. */
export const refusedKeys = table(
  'refused_keys',
  {
    row:
      'one form key that can no longer claim its invoice: its sender was told that nothing was charged ' +
      'or that no sale was started, or its payment ended without a charge',
    lifetime: {
      rules: [deleteAfter('refused_at', DAY, 'refused_keys_at')],
      why: 'any delayed request has ended long before; it names no person',
    },
    copies: { none: 'form keys of the last day, which no longer open anything' },
    key: ['account_id', 'invoice_id', 'attempt_key'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    attemptKey: plain.text('attempt_key').notNull(),
    refusedAt: plain.integer('refused_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.invoiceId, t.attemptKey] })],
);
