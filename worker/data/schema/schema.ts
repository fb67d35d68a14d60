/**
 * The tables for drizzle, one file per feature. The SQL in migrations/ is handwritten: STRICT tables, partial indexes
 * and triggers enforce the money rules, and drizzle's generator cannot express them. schema.test.ts compares the two.
 *
 * Import the tables of content, and of features that no payer's request needs, from their own files.
 */

export * from './crm.ts';
export * from './invoices.ts';
export * from './mail.ts';
export * from './merchants.ts';
export * from './payments.ts';
export * from './reconciliation.ts';
export * from './totals.ts';
