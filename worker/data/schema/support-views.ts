import { DAY, deleteAfter } from './lifetime.ts';
import { plain, table } from './table.ts';

export const supportViews = table(
  'support_views',
  {
    row: 'one period in which the operator may view the clinic',
    lifetime: {
      rules: [deleteAfter('ends_at', 7 * DAY, 'support_views_end')],
      why: 'an ended view opens nothing; it stays a week in case of an incident; the audit trail keeps its grant',
    },
    copies: { none: 'the audit trail has the grants; after a restore, no view is open' },
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
