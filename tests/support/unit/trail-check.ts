import { env } from 'cloudflare:workers';
import { wrapMethod } from './wrap-method.ts';

/**
 * Checks every batch that the product sends during the unit tests, and finds those that make an auditable change
 * without an event in the same batch. It wraps D1 for all code; the stack trace excludes a test's own writes.
 */

/** Patterns of statements that count as an act, by table, in lower case and without quotes. */
export const ACTS: Record<string, RegExp[]> = {
  payment_attempts: [/^insert into payment_attempts/, /^update payment_attempts set (?:(?! where ).)*\bstate = /],
  ledger: [/^insert into ledger/],
  reversals: [/^insert into reversals/, /^update reversals set (?:(?! where ).)*\bstate = /],
  batch_closes: [/^insert into batch_closes/, /^update batch_closes set (?:(?! where ).)*\bstate = /],
  invoices: [/^update invoices (?:as i )?set (?:(?! where ).)*\b(?:local_status|collection) = /],
  collections: [/^insert into collections/, /^update collections (?:as c )?set state = 'frozen'/],
  pay_links: [/^insert into pay_links/, /^update pay_links set/],
  accounts: [
    /^insert into accounts/,
    /^update accounts set (?:(?! where ).)*\b(?:shows_lines|takes_bank_payments|takes_apple_pay|takes_google_pay) = /,
  ],
  crm_tokens: [/^insert into crm_tokens/, /^update crm_tokens set (?:(?! where ).)*\b(?:scopes|revoked_at) = /],
  users: [/^(?:insert into|update|delete from) users\b/],
  sessions: [/^insert into sessions/, /^update sessions set (?:(?! where ).)*\brevoked_at = /],
  invitations: [/^insert into invitations/],
  staff_passkeys: [/^(?:insert into|delete from) staff_passkeys/],
  pins: [/^(?:insert into|delete from) pins/],
  resolutions: [/^insert into resolutions/],
  approvals: [/^insert into approvals/, /^update approvals set (?:(?! where ).)*\bstate = /],
  archives: [/^insert into archives/],
  closings: [/^(?:insert into|delete from) closings/],
  reminder_plans: [/^insert into reminder_plans/],
  reminder_exclusions: [/^(?:insert into|delete from) reminder_exclusions/],
  crm_write_settings: [/^insert into crm_write_settings/],
  crm_writes: [/\bby_hand\b/],
  reminder_opt_outs: [/^update reminder_opt_outs set (?:(?! where ).)*\bstopped_at = /],
  merchants: [/^(?:insert into|update|delete from) merchants\b/],
  invoice_signatures: [/^(?:insert into|delete from) invoice_signatures/],
  content_users: [/^(?:insert into|update|delete from) content_users\b/],
  content_sessions: [/^insert into content_sessions/, /^update content_sessions set (?:(?! where ).)*\brevoked_at = /],
  content_invitations: [/^insert into content_invitations/],
  content_resets: [/^(?:insert into|update) content_resets/],
  operators: [/^(?:insert into|update|delete from) operators\b/],
  operator_passkeys: [/^insert into operator_passkeys/],
  operator_sessions: [
    /^insert into operator_sessions/,
    /^update operator_sessions set (?:(?! where ).)*\brevoked_at = /,
  ],
  operator_codes: [/^insert into operator_codes/],
  payment_switch: [/^insert into payment_switch/],
  alerts: [/^update alerts set (?:(?! where ).)*\backed_at = /],
  articles: [/^delete from articles/],
  media: [/^delete from media\b/],
};

/** Product files that change such a table without an act, with the reason. */
const NO_ACTS: Record<string, string> = {
  'worker/data/operate/restore.ts': 'empties a new installation without users; its end is an event',
  'worker/data/retention/payer-data.ts': 'blanks and deletes rows past their retention period',
  'worker/data/retention/expired-rows.ts': 'blanks and deletes rows past their retention period',
  'worker/domain/content/accounts/log-in.ts': 'deletes decoys, which are not accounts',
};

const normalizeSql = (sql: string) => sql.toLowerCase().replace(/["`]/g, '').replace(/\s+/g, ' ').trim();

/** The table that a statement changes as an act; `event` for an audit event. Cached, since the same texts recur. */
function actOf(statement: string): string | null {
  const cached = actCache.get(statement);
  if (cached !== undefined) return cached;
  const text = normalizeSql(statement);
  const [table = null] = Object.entries(ACTS).find(([, acts]) => acts.some((act) => act.test(text))) ?? [];
  const act = text.startsWith('insert into audit_events') ? 'event' : table;
  actCache.set(statement, act);
  return act;
}

const actCache = new Map<string, string | null>();

/** The table that a batch changes without an event. Null if there is none. */
export function findUnauditedTable(statements: string[]): string | null {
  const acts = statements.map(actOf);
  return acts.includes('event') ? null : (acts.find((act) => act !== null) ?? null);
}

const shared = globalThis as { unauditedChanges?: Map<string, string> };

/** Returns and clears the acts without an event since the last call, by sender. */
export function takeUnauditedChanges(): string[] {
  const lines = [...(shared.unauditedChanges ?? [])].map(
    ([from, table]) => `${from} changes ${table} without an event`,
  );
  shared.unauditedChanges?.clear();
  return lines;
}

/** Starts the check, once for all files of a runtime. */
export function checkTrail(): void {
  if (shared.unauditedChanges) return;
  const acts = new Map<string, string>();
  shared.unauditedChanges = acts;
  Error.stackTraceLimit = 100;
  const texts = new WeakMap<object, string>();
  const recordActs = (statements: object[]) => {
    const table = findUnauditedTable(statements.map((sent) => texts.get(sent) ?? ''));
    const from = table && senderIn(new Error().stack ?? '');
    if (table && from) acts.set(from, table);
  };
  const database = Object.getPrototypeOf(env.DB) as object;
  const statement = Object.getPrototypeOf(env.DB.prepare('SELECT 1')) as object;
  wrapMethod(database, 'prepare', (call, _, [sql]) => {
    const prepared = call() as object;
    texts.set(prepared, String(sql));
    return prepared;
  });
  wrapMethod(statement, 'bind', (call, self) => {
    const bound = call() as object;
    texts.set(bound, texts.get(self) ?? '');
    return bound;
  });
  for (const name of ['first', 'run', 'all', 'raw']) {
    wrapMethod(statement, name, (call, self) => {
      recordActs([self]);
      return call();
    });
  }
  wrapMethod(database, 'batch', (call, _, [statements]) => {
    recordActs(statements as object[]);
    return call();
  });
}

/** The product file that sent the statement; empty if a test sent it itself. */
export function senderIn(stack: string): string {
  const frames = stack
    .split('\n')
    .filter((line) => !/node_modules|tests\/support\/unit\/(?:trail-check|wrap-method)/.test(line));
  const nearest = frames.find((line) => /\/(worker|shared|scripts|tests)\//.test(line)) ?? '';
  const [, file = ''] = /\/((?:worker|shared|scripts|tests)\/[^:)?]+)/.exec(nearest) ?? [];
  const isProduct = file.startsWith('worker/') && !file.endsWith('.test.ts') && !(file in NO_ACTS);
  return isProduct ? file : '';
}
