import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Card tokens that claim nothing any more; not part of schema.ts, so that who pays never loads it. */
export const refusedTokens = sqliteTable('refused_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  refusedAt: integer('refused_at').notNull(),
});
