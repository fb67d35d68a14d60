/** A statement as the product sent it to the database during a test. */
export type SentStatement = {
  sql: string;
  values: (string | number | null)[];
  /** The nearest product function in the stack, and its file. */
  from: string;
  /** Rows found or changed: the maximum over all times that it was sent. */
  found: number;
  /** The values, including those inside JSON, that are ids in the test's world, each with its columns. */
  ids: Record<string, string[]>;
};

/** Modules that compose or run statements for others; a statement is named after the module that calls these. */
export const COMPOSERS = ['worker/data/db.ts', 'worker/data/sql.ts'];

/** Modules whose statements a run of the unit tests must contain. */
export const SENDERS = [
  'worker/data/crm-sync/records.ts',
  'worker/data/invoices/merchant-invoice.ts',
  'worker/data/lists/read-page.ts',
  'worker/data/mail/outbox.ts',
  'worker/data/payments/attempts.ts',
  'worker/data/reconciliation/gateway-transactions.ts',
  'worker/data/refunds/reversals.ts',
];

/** All statements of a run, one per text. `at`: the time of the machine that ran it (UTC ms). */
export type SentStatements = { at: number; statements: SentStatement[] };

/** Columns whose values identify a row. */
export const ID_COLUMNS = [
  'accounts.account_id',
  'users.user_id',
  'invoices.invoice_id',
  'invoices.number',
  'contacts.contact_id',
  'companies.company_id',
  'pay_links.pay_id',
  'payment_attempts.id',
  'payment_attempts.receipt_id',
  'payment_attempts.token_hash',
  'payment_attempts.dedupe_key',
  'payment_attempts.ip_key',
  'payment_attempts.attempt_key',
  'ledger.provider_txn_id',
  'gateway_transactions.provider_txn_id',
  'gateway_transactions.batch_id',
  'batch_closes.batch_id',
  'batches.batch_id',
  'page_views.load_id',
  'terminals.terminal_id',
  'outbox.id',
  'outbox.provider_id',
  'mail_events.id',
  'mail_addresses.address',
  'reminder_opt_outs.address',
  'reminder_opt_outs.token',
  'reminders.id',
  'mailings.id',
  'mailing_invoices.mailing_id',
  'crm_writes.id',
  'reversals.id',
  'sessions.id',
  'sessions.companion_hash',
  'merchants.merchant_number',
  'staff_passkeys.id',
  'staff_passkeys.handle',
  'pins.hash',
  'factor_codes.id',
  'approvals.id',
  'approvals.request_key',
  'support_views.id',
  // Last, since these are also ids of rows above.
  'audit_events.actor_id',
  'audit_events.subject_id',
] as const;

/** Every text and number in a value, including those inside its JSON. */
export function* leavesOf(value: unknown): Generator<string | number> {
  if (typeof value === 'number') yield value;
  if (typeof value === 'string') {
    yield value;
    const json = jsonIn(value);
    if (json !== undefined) yield* leavesOf(json);
  }
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* leavesOf(part);
}

/** Parses a text as a JSON object or list; undefined if it is neither. */
export function jsonIn(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
