import { sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The local status of an invoice; anything but `none` goes before the CRM's status. */
export const localStatuses = ['none', 'submitted', 'paid', 'refunded', 'voided', 'returned'] as const;

export const invoices = sqliteTable(
  'invoices',
  {
    accountId: integer('account_id').notNull(),
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
    deletedAt: integer('deleted_at'),
    collection: integer('collection').notNull().default(1),
    localStatus: text('local_status', { enum: localStatuses }).notNull().default('none'),
    shownStatus: text('shown_status').generatedAlwaysAs(sql``, { mode: 'virtual' }),
    shownBalanceCents: integer('shown_balance_cents').generatedAlwaysAs(sql``, { mode: 'virtual' }),
    idNumber: integer('id_number').generatedAlwaysAs(sql``, { mode: 'virtual' }),
    givenBackCents: integer('given_back_cents').notNull().default(0),
    paidAt: integer('paid_at'),
    contactHasAddress: integer('contact_has_address', { mode: 'boolean' }).notNull().default(false),
    contactLanguage: text('contact_language').notNull().default(''),
    billLines: text('bill_lines').notNull().default(''),
    partBaseCents: integer('collection_base_cents'),
    partPaidCents: integer('collection_paid_cents').notNull().default(0),
    listBalanceCents: integer('list_balance_cents').generatedAlwaysAs(sql``, { mode: 'virtual' }),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId] })],
);
