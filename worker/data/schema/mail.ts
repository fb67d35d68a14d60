import { primaryKey } from 'drizzle-orm/sqlite-core';
import { badAddresses, type CustomerMailKind, type Delivery } from '#shared/contracts/lists/mail-values';
import { blankAfter, column, DAY, deleteAfter, MAIL_RETENTION_MS, personal, plain, table } from './table.ts';

/**
 * The emails of the product, by their kind. A new kind is a row here and a composer in worker/domain/mail/compose.ts;
 * lists, limits and the screens that show emails follow from the row.
 */
export type MailRule = (
  | { audience: 'staff' | 'editor' | 'operator'; listedAs?: never }
  /** `listedAs`: the name under which the email is listed for an invoice and its customer. */
  | { audience: 'payer'; listedAs: CustomerMailKind }
) & {
  /** Receipts are sent before all others; notices to staff are sent last. */
  priority?: 'first' | 'last';
  /** Counts against the daily limit of the account (a trigger on `outbox` has the same list). */
  isLimited?: true;
};

export const mailRules = {
  receipt: { audience: 'payer', listedAs: 'receipt', priority: 'first', isLimited: true },
  'pay-link': { audience: 'payer', listedAs: 'pay-link', isLimited: true },
  'crm-receipt': { audience: 'payer', listedAs: 'receipt', priority: 'first', isLimited: true },
  'debit-returned': { audience: 'payer', listedAs: 'return-notice', priority: 'first' },
  'sign-up': { audience: 'staff' },
  invitation: { audience: 'editor' },
  'password-reset': { audience: 'editor' },
  'address-known': { audience: 'editor' },
  'audit-seal': { audience: 'staff' },
  alert: { audience: 'operator' },
  'staff-invitation': { audience: 'staff' },
  'staff-removed': { audience: 'staff' },
  'login-code': { audience: 'staff' },
  'factor-code': { audience: 'staff' },
  'factor-changed': { audience: 'staff' },
  closing: { audience: 'staff' },
  'test-link': { audience: 'staff' },
  'approval-asked': { audience: 'staff' },
  'approval-ended': { audience: 'staff' },
  'operator-acted': { audience: 'staff' },
  reminder: { audience: 'payer', listedAs: 'reminder', isLimited: true },
  'reminder-test': { audience: 'staff' },
  'payment-notice': { audience: 'staff', priority: 'last', isLimited: true },
  'payment-notice-day': { audience: 'staff', priority: 'last', isLimited: true },
} as const satisfies Record<string, MailRule>;

export type MailKind = keyof typeof mailRules;
export const mailKinds = Object.keys(mailRules) as [MailKind, ...MailKind[]];

const ruleOf = (kind: MailKind): MailRule => mailRules[kind];
export const kindsWhere = (test: (rule: MailRule) => boolean): MailKind[] =>
  mailKinds.filter((kind) => test(ruleOf(kind)));
/** A list of kinds as SQL. */
const inSql = (kinds: MailKind[]) => `(${kinds.map((kind) => `'${kind}'`).join(', ')})`;

/** Emails that are listed for an invoice and its customer. */
export const LISTED_KINDS = inSql(kindsWhere(({ listedAs }) => listedAs !== undefined));
/** Emails that request money from a payer. */
export const PAYMENT_REQUEST_KINDS = inSql(
  kindsWhere(({ listedAs }) => listedAs === 'pay-link' || listedAs === 'reminder'),
);
export const RECEIPT_KINDS = inSql(kindsWhere(({ listedAs }) => listedAs === 'receipt'));
export const KINDS_SENT_FIRST = inSql(kindsWhere(({ priority }) => priority === 'first'));
export const KINDS_SENT_LAST = inSql(kindsWhere(({ priority }) => priority === 'last'));

/** The name under which a stored email is listed; 'receipt' for an unknown kind. */
export const listedAs = (kind: unknown): CustomerMailKind =>
  (typeof kind === 'string' && kind in mailRules ? ruleOf(kind as MailKind).listedAs : undefined) ?? 'receipt';

const mailDetails = column({
  notExported: 'values for mails, including sealed links and codes; the export has recipient, kind and time',
});

export const outbox = table(
  'outbox',
  {
    row: 'one mail, sent or still due; sending composes its text from the rows it refers to (`worker/domain/mail/`)',
    lifetime: {
      rules: [
        deleteAfter('created_at', MAIL_RETENTION_MS, 'outbox_done', "state <> 'due'"),
        blankAfter('sent_at', DAY, {
          what: '`details`',
          set: "details = '{}'",
          index: 'outbox_done_with_details',
          when: "state <> 'due' AND details <> '{}'",
        }),
      ],
      why:
        'thirteen months show whether a mail was sent; `details` may contain a sealed token, ' +
        'which has no use after sending; a mail that is still due stays',
    },
    copies: 'export and dump',
  },
  {
    id: plain.text('id').primaryKey(),
    kind: plain.text('kind', { enum: mailKinds }).notNull(),
    recipient: personal.text('recipient').notNull(),
    accountId: plain.integer('account_id'),
    attemptId: plain.text('attempt_id'),
    invoiceId: plain.text('invoice_id'),
    details: mailDetails.text('details').notNull().default('{}'),
    state: plain
      .text('state', { enum: ['due', 'sent', 'failed'] })
      .notNull()
      .default('due'),
    tries: plain.integer('tries').notNull().default(0),
    nextTryAt: plain.integer('next_try_at').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    sentAt: plain.integer('sent_at'),
    providerId: plain.text('provider_id'),
    delivery: plain.text('delivery').$type<Delivery>(),
    deliveryAt: plain.integer('delivery_at'),
    arrivedAt: plain.integer('arrived_at'),
    askAt: plain.integer('ask_at'),
  },
);

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
    key: ['id'],
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
    key: ['account_id', 'address'],
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
