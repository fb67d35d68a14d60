import { primaryKey } from 'drizzle-orm/sqlite-core';
import { DAY, deleteAfter } from './lifetime.ts';
import { plain, table } from './table.ts';

/** Card tokens that claim nothing any more; not part of schema.ts, so that who pays never loads it. */
export const refusedTokens = table(
  'refused_tokens',
  {
    row: 'a card token whose payer was told that nothing was charged: it claims nothing any more',
    lifetime: {
      rules: [deleteAfter('refused_at', DAY, 'refused_tokens_at')],
      why: 'a request that was on its way has ended long before; it names no person',
    },
    copies: { none: 'card tokens of the last day, which open nothing any more' },
  },
  {
    tokenHash: plain.text('token_hash').primaryKey(),
    refusedAt: plain.integer('refused_at').notNull(),
  },
);

/** Keys of forms that claim nothing any more, each of one invoice. */
export const refusedKeys = table(
  'refused_keys',
  {
    row: 'the key of a form whose sender was told that nothing was charged, or that no sale was started, or whose payment came to nothing: it claims nothing any more',
    lifetime: {
      rules: [deleteAfter('refused_at', DAY, 'refused_keys_at')],
      why: 'a request that was on its way has ended long before; it names no person',
    },
    copies: { none: 'keys of forms of the last day, which open nothing any more' },
  },
  {
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    attemptKey: plain.text('attempt_key').notNull(),
    refusedAt: plain.integer('refused_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.invoiceId, t.attemptKey] })],
);
