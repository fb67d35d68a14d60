/**
 * The mails of the product, by their kind. A new kind is a row here and a composer in worker/domain/mail/compose.ts;
 * lists, limits and the screens that show mails follow from the row.
 */
export type MailRule = {
  audience: 'payer' | 'staff' | 'editor' | 'operator';
  /** The name under which an invoice and its customer list the mail; mails without it are not listed. */
  listedAs?: 'pay-link' | 'reminder' | 'receipt';
  /** Receipts leave before all others; notices to staff leave last. */
  priority?: 'first' | 'last';
  /** Counts against the daily limit of the account (a trigger on `outbox` has the same list). */
  isLimited?: true;
};

export const mailRules = {
  receipt: { audience: 'payer', listedAs: 'receipt', priority: 'first', isLimited: true },
  'pay-link': { audience: 'payer', listedAs: 'pay-link', isLimited: true },
  'crm-receipt': { audience: 'payer', listedAs: 'receipt', priority: 'first', isLimited: true },
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

/** Mails that an invoice and its customer list. */
export const LISTED = inSql(kindsWhere(({ listedAs }) => listedAs !== undefined));
/** Mails that ask a payer for money. */
export const REQUESTS = inSql(kindsWhere(({ listedAs }) => listedAs === 'pay-link' || listedAs === 'reminder'));
export const RECEIPTS = inSql(kindsWhere(({ listedAs }) => listedAs === 'receipt'));
export const FIRST = inSql(kindsWhere(({ priority }) => priority === 'first'));
export const LAST = inSql(kindsWhere(({ priority }) => priority === 'last'));

/** The name under which a stored mail is listed; 'receipt' for a kind that is not known. */
export const listedAs = (kind: unknown): 'pay-link' | 'reminder' | 'receipt' =>
  (typeof kind === 'string' && kind in mailRules ? ruleOf(kind as MailKind).listedAs : undefined) ?? 'receipt';
