import { primaryKey } from 'drizzle-orm/sqlite-core';
import { badAddresses } from '#shared/contracts/mail-values';
import { DAY, deleteAfter } from './lifetime.ts';
import { personal, plain, table } from './table.ts';

export const mailEvents = table(
  'mail_events',
  {
    row: 'one event of the mail service about one mail',
    lifetime: {
      rules: [deleteAfter('heard_at', 30 * DAY, 'mail_events_heard')],
      why:
        'a repeated event must change nothing, and the mail service repeats events for two days; ' +
        'the result is in the row of the mail',
    },
    copies: { none: 'events of the last month; their results are in the outbox' },
  },
  {
    id: plain.text('id').primaryKey(),
    mailId: plain.text('mail_id').notNull(),
    type: plain.text('type').notNull(),
    at: plain.integer('at').notNull(),
    heardAt: plain.integer('heard_at').notNull(),
  },
);

export const mailAddresses = table(
  'mail_addresses',
  {
    row: 'one address that mail does not reach',
    lifetime: {
      rules: [deleteAfter('at', 400 * DAY, 'mail_addresses_at')],
      why: 'as long as the mail that failed; after thirteen months the address is tried again',
    },
    copies: 'export and dump',
  },
  {
    accountId: plain.integer('account_id').notNull(),
    address: personal.text('address').notNull(),
    why: plain.text('why', { enum: badAddresses }).notNull(),
    mailId: plain.text('mail_id').notNull(),
    at: plain.integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.address] })],
);
