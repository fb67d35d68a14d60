import { sql } from 'drizzle-orm';
import { primaryKey } from 'drizzle-orm/sqlite-core';
import { blankAfter, DAY } from './lifetime.ts';
import { personal, plain, table } from './table.ts';

/** The local status of an invoice; any value but `none` overrides the CRM's status. */
export const localStatuses = ['none', 'submitted', 'paid', 'refunded', 'voided', 'returned'] as const;

const pointsTo = (table: string) =>
  `EXISTS (SELECT 1 FROM ${table} p WHERE p.account_id = invoices.account_id AND p.invoice_id = invoices.invoice_id)`;
const IS_POINTED_TO = ['pay_links', 'payment_attempts', 'collections', 'invoice_signatures'].map(pointsTo).join(' OR ');
/** The condition of the index invoices_gone_with_names, word for word: SQLite uses the index for no other wording. */
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
            sql: IS_POINTED_TO,
            say: 'unless one of these refers to it',
          },
        },
        blankAfter('deleted_at', 30 * DAY, {
          what: 'names, e-mail address, address and line items',
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
    dumped: `(local_status <> 'none' OR collection > 1 OR ${IS_POINTED_TO})`,
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
    contactHasAddress: plain.integer('contact_has_address', { mode: 'boolean' }).notNull().default(false),
    contactLanguage: plain.text('contact_language').notNull().default(''),
    billLines: personal.text('bill_lines').notNull().default(''),
    partBaseCents: plain.integer('collection_base_cents'),
    partPaidCents: plain.integer('collection_paid_cents').notNull().default(0),
    listBalanceCents: plain.integer('list_balance_cents').generatedAlwaysAs(sql``, { mode: 'virtual' }),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId] })],
);
