import { deleteAfter, SEVEN_YEARS, withAccount } from './lifetime.ts';
import { freeText, plain, table } from './table.ts';

/** Write-back of payments to the CRM. */

export const crmWriteStates = ['due', 'sent', 'written', 'refused', 'unknown', 'not_wanted', 'by_hand'] as const;
export type CrmWriteState = (typeof crmWriteStates)[number];

export const crmWriteSettings = table(
  'crm_write_settings',
  {
    row: `an account's setting for write-back: whether the CRM gets a record of its payments`,
    lifetime: withAccount('one row per account'),
    copies: {
      only: 'dump',
      why: 'after a restore, write-back stays off until an administrator enables it again',
    },
  },
  {
    accountId: plain.integer('account_id').primaryKey(),
    isOn: plain.integer('is_on', { mode: 'boolean' }).notNull(),
    changedBy: plain.integer('changed_by').notNull(),
    changedAt: plain.integer('changed_at').notNull(),
    state: plain
      .text('state', { enum: ['ready', 'not_allowed', 'cannot'] })
      .notNull()
      .default('ready'),
    said: plain.text('said').notNull().default(''),
    waitUntil: plain.integer('wait_until').notNull().default(0),
    movesBalance: plain.integer('moves_balance', { mode: 'boolean' }),
  },
);
export type CrmWriteSettings = typeof crmWriteSettings.$inferSelect;

export const crmWrites = table(
  'crm_writes',
  {
    row: 'one ledger entry to record in the CRM',
    lifetime: {
      rules: [deleteAfter('created_at', SEVEN_YEARS, 'crm_writes_made')],
      why: 'it prevents a second record of a payment, and shows who recorded one by hand',
    },
    copies: 'export and dump',
    evidence: true,
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    attemptId: plain.text('attempt_id').notNull(),
    kind: plain.text('kind', { enum: ['payment', 'reversal'] }).notNull(),
    amountCents: plain.integer('amount_cents').notNull(),
    state: plain.text('state', { enum: crmWriteStates }).notNull(),
    objectId: plain.text('object_id').notNull().default(''),
    tries: plain.integer('tries').notNull().default(0),
    looks: plain.integer('looks').notNull().default(0),
    balanceCents: plain.integer('balance_cents'),
    sentAt: plain.integer('sent_at'),
    nextTryAt: plain.integer('next_try_at'),
    said: plain.text('said').notNull().default(''),
    effect: plain
      .text('effect', { enum: ['', 'paid', 'balance_moved', 'nothing_moved'] })
      .notNull()
      .default(''),
    note: freeText.text('note').notNull().default(''),
    decidedBy: plain.integer('decided_by'),
    createdAt: plain.integer('created_at').notNull(),
    doneAt: plain.integer('done_at'),
  },
);
export type CrmWrite = typeof crmWrites.$inferSelect;
