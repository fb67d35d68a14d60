import { DAY, deleteAfter } from './lifetime.ts';
import { plain, table } from './table.ts';

export const payLinks = table(
  'pay_links',
  {
    row: 'one pay link, by its public pay id',
    lifetime: {
      rules: [deleteAfter('ends_at', 400 * DAY, 'pay_links_end')],
      why:
        'for thirteen months, an old link tells its payer that it has ended; after that, the link is unknown; ' +
        'its payments do not need it',
    },
    copies: { only: 'dump', why: 'links are capabilities: staff issue new ones' },
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
