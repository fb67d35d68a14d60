/** What of a table leaves the clinic's database. */
export type ExportTable = {
  name: string;
  /** The columns by which it is read on: the primary key of a table without row ids, else the row's own id. */
  key: readonly string[];
  /** Columns that an export leaves out: capabilities, which open something by themselves. */
  without?: readonly string[];
  /** Columns that stay with the installation, when a clinic takes its records along. */
  ours?: readonly string[];
  /**
   * Whether it stays as evidence after an erasure, and without which further columns: what names a payer. False: it goes
   * for good.
   */
  kept: false | readonly string[];
  /** It is in an export alone, since the CRM gives it again; or in a dump alone, which leaves the installation never. */
  only?: 'export' | 'dump';
  /** Which rows a dump has, as SQL; else all. */
  dumped?: string;
  /** Rows of a piece at most, where one may be long. */
  atOnce?: number;
};

export const ROWID = ['rowid'] as const;
const PAYER = [
  ...['payer_first_name', 'payer_last_name', 'payer_address', 'payer_address2', 'payer_city', 'payer_state'],
  ...['payer_zip', 'receipt_to', 'started_by', 'signature_key', 'ip_key', 'token_hash', 'attempt_key'],
  ...['signed_words', 'billed_to', 'bill_lines'],
];
const pointsTo = (table: string) =>
  `EXISTS (SELECT 1 FROM ${table} p WHERE p.account_id = invoices.account_id AND p.invoice_id = invoices.invoice_id)`;

/**
 * The tables of a clinic that can be put back, each after those that it refers to. A terminal's key and the CRM's tokens
 * stay sealed: only the installation's TOKEN_KEYS open them. The CRM gives its records again; of invoices a dump has
 * those that something happened to here.
 */
export const clinicTables: readonly ExportTable[] = [
  { name: 'accounts', key: ROWID, without: ['restored_at', 'closes_at'], kept: [] },
  { name: 'closings', key: ROWID, kept: false, only: 'dump' },
  { name: 'crm_tokens', key: ROWID, kept: false, only: 'dump' },
  { name: 'users', key: ROWID, kept: false },
  { name: 'payment_notices', key: ROWID, kept: false },
  { name: 'staff_passkeys', key: ROWID, kept: false, only: 'dump' },
  { name: 'merchants', key: ROWID, without: ['signup_url'], kept: ['footer_text'] },
  { name: 'merchant_logs', key: ROWID, kept: false },
  { name: 'terminals', key: ROWID, ours: ['api_key'], kept: ['api_key', 'public_key'] },
  { name: 'contacts', key: ROWID, kept: false, only: 'export' },
  { name: 'companies', key: ROWID, kept: false, only: 'export' },
  {
    ...{ name: 'invoices', key: ROWID, kept: false },
    dumped: `(local_status <> 'none' OR collection > 1 OR ${['pay_links', 'payment_attempts', 'collections', 'invoice_signatures'].map(pointsTo).join(' OR ')})`,
  },
  { name: 'pay_links', key: ROWID, kept: false, only: 'dump' },
  { name: 'payment_attempts', key: ROWID, without: ['pay_id', 'receipt_id'], ours: ['ip_key'], kept: PAYER },
  { name: 'collections', key: ROWID, kept: [] },
  { name: 'ledger', key: ROWID, kept: [] },
  { name: 'reversals', key: ROWID, kept: ['reason', 'request_key'] },
  { name: 'approvals', key: ROWID, kept: ['reason', 'request_key'] },
  { name: 'batch_closes', key: ROWID, kept: [] },
  { name: 'batches', key: ROWID, kept: [] },
  { name: 'page_views', key: ROWID, kept: false },
  { name: 'gateway_transactions', key: ROWID, kept: ['payer'] },
  { name: 'reconciliation_cursors', key: ROWID, kept: false },
  { name: 'resolutions', key: ROWID, kept: ['note'] },
  { name: 'reversal_resolutions', key: ROWID, kept: ['note'] },
  { name: 'invoice_signatures', key: ROWID, kept: false },
  { name: 'reminder_plans', key: ROWID, kept: false, only: 'dump' },
  { name: 'reminders', key: ROWID, kept: false },
  { name: 'reminder_exclusions', key: ROWID, kept: false },
  { name: 'crm_write_settings', key: ROWID, kept: false, only: 'dump' },
  { name: 'crm_writes', key: ROWID, kept: ['note'] },
  { name: 'reminder_opt_outs', key: ROWID, kept: false, only: 'dump' },
  { name: 'outbox', key: ROWID, without: ['details'], kept: false },
  { name: 'mail_addresses', key: ROWID, kept: false },
  { name: 'audit_mails', key: ['account_id', 'user_id'], kept: false },
  { name: 'audit_seals', key: ['account_id', 'from_seq'], kept: [] },
  { name: 'audit_events', key: ['account_id', 'seq'], kept: [] },
];

/** Those of an export, which leaves the installation as a file. */
export const exportTables = clinicTables.filter(({ only }) => only !== 'dump');
/** Those of a clinic's nightly dump. */
export const dumpTables = clinicTables.filter(({ only }) => only !== 'export');

/** Tables that no export has, with the reason. */
export const notExported: Record<string, string> = {
  clinic: 'the object’s own note of its number',
  crm_tokens: 'tokens: the CRM is connected again after a restore',
  crm_sync_states: 'how far the copy of the CRM is; a restore begins a new one',
  crm_cursors: 'how far the copy of the CRM is; a restore begins a new one',
  pay_links: 'capabilities: links are issued anew',
  mail_events: 'the mail service’s events of the last month; what they told is in the outbox',
  reminder_plans: 'after a restore nobody is reminded until a manager says so again',
  crm_write_settings: 'after a restore nothing is recorded in the CRM until an administrator says so again',
  reminder_opt_outs: 'each address has a capability; who stopped reminders is in the trail',
  mail_days: 'counts of a day',
  mailings: 'the mails are in the outbox, who asked for them is in the trail; after a restore none goes on',
  mailing_invoices: 'the mails are in the outbox; after a restore none goes on',
  sessions: 'capabilities: people log in again',
  invitations: 'capabilities: people are invited again',
  staff_passkeys: 'each names its person by a capability: people make new ones, with a mailed code',
  support_views: 'who was let to look is in the trail; after a restore nobody is',
  pins: 'six digits are soon guessed from a hash: people choose new ones, with a mailed code',
  factor_codes: 'codes of ten minutes',
  taken_challenges: 'challenges of five minutes',
  closings: 'whether the account closes: one that is put back does not',
  archives: 'how far this export is',
  refused_tokens: 'card tokens of the last day, which open nothing any more',
  refused_keys: 'keys of forms of the last day, which open nothing any more',
  audit_refusals: 'counts of the last hour',
  audit_checks: 'the chain is recomputed from its beginning',
  bucket_cursors: 'how far a walk is',
  dumps: 'how far the dump is',
  dump_tables: 'how far the dump is',
  list_counts: 'derived from rows that are exported',
  owed_totals: 'derived from rows that are exported',
  owing_customers: 'derived from rows that are exported',
  daily_totals: 'derived from rows that are exported',
  invoice_search: 'derived from rows that are exported',
  customer_search: 'derived from rows that are exported',
  status_reports: 'what the directory was told of this very database',
  waiting_triggers: 'of a restore that is under way',
};

/** A table of an export; undefined: there is none of that name. */
export const exportTable = (name: string): ExportTable | undefined => exportTables.find((table) => table.name === name);
/** A table that can be put back. */
export const clinicTable = (name: string): ExportTable | undefined => clinicTables.find((table) => table.name === name);
