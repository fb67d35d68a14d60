import { primaryKey } from 'drizzle-orm/sqlite-core';
import { withAccount } from './lifetime.ts';
import { column, plain, table } from './table.ts';

const providerSecret = column({ staysHere: 'a secret of the card provider, which sends it again' });

export const terminals = table(
  'terminals',
  {
    row: 'one terminal of a boarded merchant',
    lifetime: withAccount('its key takes payments, and payments refer to it'),
    copies: 'export and dump',
    evidence: true,
  },
  {
    accountId: plain.integer('account_id').notNull(),
    terminalId: plain.text('terminal_id').notNull(),
    name: plain.text('name').notNull(),
    channel: plain.text('channel', { enum: ['ecommerce', 'counter'] }).notNull(),
    publicKey: plain.text('public_key').notNull(),
    apiKey: providerSecret.text('api_key').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    heardAt: plain.integer('heard_at'),
    refusedAt: plain.integer('refused_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.terminalId] })],
);
