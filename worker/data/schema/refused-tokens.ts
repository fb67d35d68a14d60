import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Card tokens that claim nothing any more; not part of schema.ts, so that who pays never loads it. */
export const refusedTokens = sqliteTable('refused_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  refusedAt: integer('refused_at').notNull(),
});

/** Keys of forms that claim nothing any more, each of one invoice. */
export const refusedKeys = sqliteTable(
  'refused_keys',
  {
    accountId: integer('account_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    attemptKey: text('attempt_key').notNull(),
    refusedAt: integer('refused_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.invoiceId, t.attemptKey] })],
);
