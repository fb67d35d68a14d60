import { DAY, deleteAfter } from './lifetime.ts';
import { plain, table } from './table.ts';

export const supportViews = table(
  'support_views',
  {
    row: 'a time in which the operator may look at the clinic',
    lifetime: {
      rules: [deleteAfter('ends_at', 7 * DAY, 'support_views_end')],
      why: 'as with sessions; that it was granted stays in the trail',
    },
    copies: { none: 'who was let to look is in the trail; after a restore nobody is' },
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    grantedBy: plain.integer('granted_by').notNull(),
    grantedAt: plain.integer('granted_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    endedAt: plain.integer('ended_at'),
  },
);
export type SupportViewRow = typeof supportViews.$inferSelect;
