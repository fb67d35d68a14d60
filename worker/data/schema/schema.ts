/**
 * The tables as drizzle sees them, a file for each room. The SQL in migrations/ is written by hand: STRICT, partial
 * indexes and triggers carry the money rules, which the generator cannot express. schema.test.ts compares the two.
 *
 * The tables of content, and of rooms that no payer's call needs, are imported from their own files.
 */
export * from './analytics.ts';
export * from './crm-sync.ts';
export * from './invoices.ts';
export * from './lists.ts';
export * from './mail.ts';
export * from './merchants.ts';
export * from './pay-links.ts';
export * from './payments.ts';
export * from './preview.ts';
export * from './reconciliation.ts';
export * from './terminals.ts';
