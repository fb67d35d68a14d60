import { primaryKey } from 'drizzle-orm/sqlite-core';
import { DAY, deleteAfter } from './lifetime.ts';
import { plain, table } from './table.ts';

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
  },
  {
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    attemptKey: plain.text('attempt_key').notNull(),
    refusedAt: plain.integer('refused_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.invoiceId, t.attemptKey] })],
);
