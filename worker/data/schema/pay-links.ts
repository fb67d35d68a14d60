import { DAY, deleteAfter } from './lifetime.ts';
import { plain, table } from './table.ts';

export const payLinks = table(
  'pay_links',
  {
    row: 'a public pay id',
    lifetime: {
      rules: [deleteAfter('ends_at', 400 * DAY, 'pay_links_end')],
      why: 'for thirteen months an old link says that it has ended, after that it is unknown; what was paid by it does not need it',
    },
    copies: { only: 'dump', why: 'capabilities: links are issued anew' },
  },
  {
    payId: plain.text('pay_id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    state: plain
      .text('state', { enum: ['live', 'revoked', 'ended'] })
      .notNull()
      .default('live'),
    issuedAt: plain.integer('issued_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    revokeAt: plain.integer('revoke_at'),
  },
);
