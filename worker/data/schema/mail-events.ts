import { primaryKey } from 'drizzle-orm/sqlite-core';
import { badAddresses } from '#shared/contracts/mail-values';
import { DAY, deleteAfter } from './lifetime.ts';
import { personal, plain, table } from './table.ts';

export const mailEvents = table(
  'mail_events',
  {
    row: 'an event of the mail service about a mail',
    lifetime: {
      rules: [deleteAfter('heard_at', 30 * DAY, 'mail_events_heard')],
      why: 'a repeat of an event must change nothing, and the mail service repeats for two days; what it told is in the mail’s own row',
    },
    copies: { none: 'the mail service’s events of the last month; what they told is in the outbox' },
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
    row: 'an address at which no mail arrives',
    lifetime: {
      rules: [deleteAfter('at', 400 * DAY, 'mail_addresses_at')],
      why: 'as long as the mail that came back: after thirteen months an address is tried again',
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
