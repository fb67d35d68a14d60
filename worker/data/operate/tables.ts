/** What of a table leaves the clinic's database in an export. */
export type ExportTable = {
  name: string;
  /** The columns by which it is read on: the primary key of a table without row ids, else the row's own id. */
  key: readonly string[];
  /** Columns that are left out: capabilities, which open something by themselves. */
  without?: readonly string[];
  /**
   * Whether it stays as evidence after an erasure, and without which further columns: what names a payer. False: it goes
   * for good.
   */
  kept: false | readonly string[];
};

const ROWID = ['rowid'] as const;
const PAYER = [
  ...['payer_first_name', 'payer_last_name', 'payer_address', 'payer_address2', 'payer_city', 'payer_state'],
  ...['payer_zip', 'receipt_to', 'started_by', 'signature_key', 'ip_key', 'token_hash', 'attempt_key'],
];

/**
 * The tables of an export, each after those that it refers to. A terminal's key stays sealed: without it nothing could
 * be read from the card provider after a restore, and only the installation's TOKEN_KEYS open it.
 */
export const exportTables: readonly ExportTable[] = [
  { name: 'hubs', key: ROWID, without: ['restored_at'], kept: [] },
  { name: 'users', key: ROWID, kept: false },
  { name: 'merchants', key: ROWID, without: ['signup_url'], kept: ['footer_text'] },
  { name: 'merchant_logs', key: ROWID, kept: false },
  { name: 'terminals', key: ROWID, kept: ['api_key', 'public_key'] },
  { name: 'contacts', key: ROWID, kept: false },
  { name: 'companies', key: ROWID, kept: false },
  { name: 'invoices', key: ROWID, kept: false },
  { name: 'payment_attempts', key: ROWID, without: ['pay_id', 'receipt_id'], kept: PAYER },
  { name: 'ledger', key: ROWID, kept: [] },
  { name: 'reversals', key: ROWID, kept: ['reason', 'request_key'] },
  { name: 'batch_closes', key: ROWID, kept: [] },
  { name: 'gateway_transactions', key: ROWID, kept: ['payer'] },
  { name: 'match_marks', key: ROWID, kept: false },
  { name: 'resolutions', key: ROWID, kept: ['note'] },
  { name: 'reversal_resolutions', key: ROWID, kept: ['note'] },
  { name: 'invoice_signatures', key: ROWID, kept: false },
  { name: 'audit_mails', key: ['hub_id', 'user_id'], kept: false },
  { name: 'audit_seals', key: ['hub_id', 'from_seq'], kept: [] },
  { name: 'audit_events', key: ['hub_id', 'seq'], kept: [] },
];

/** Tables that no export has, with the reason. */
export const notExported: Record<string, string> = {
  clinic: 'the object’s own note of its number',
  crm_tokens: 'tokens: the CRM is connected again after a restore',
  crm_copies: 'how far the copy of the CRM is; connecting again begins a new one',
  crm_marks: 'how far the copy of the CRM is; connecting again begins a new one',
  pay_links: 'capabilities: links are issued anew',
  sessions: 'capabilities: people log in again',
  outbox: 'mails are not sent a second time, and some hold capabilities',
  audit_refusals: 'counts of the last hour',
  audit_checks: 'the chain is recomputed from its beginning',
  bucket_cursors: 'how far a walk is',
  list_counts: 'derived from rows that are exported',
  daily_totals: 'derived from rows that are exported',
  invoice_search: 'derived from rows that are exported',
  customer_search: 'derived from rows that are exported',
  tellings: 'what the directory was told of this very database',
  waiting_triggers: 'of a restore that is under way',
};

export const exportTable = (name: string): ExportTable | undefined => exportTables.find((table) => table.name === name);
