import { env } from 'cloudflare:workers';
import type { TextEvent } from '#worker/data/audit/events';
import { openDb } from '#worker/data/db';
import { insertRow } from './insert-row.ts';

type Row = Record<string, unknown>;

/** The only account of a clinic's database in tests that insert its rows themselves. */
export const ACCOUNT = 7;

export const db = openDb(env.DB);

/** Inserts rows of that account, one after the other. */
export async function add(table: string, ...rows: Row[]): Promise<void> {
  for (const row of rows) await insertRow(env.DB, table, { account_id: ACCOUNT, ...row });
}

/** Adds the account with these terminals. */
export async function addClinic(fields: Row = {}, ...terminals: string[]): Promise<void> {
  await add('accounts', fields);
  await add('terminals', ...terminals.map((terminal_id) => ({ terminal_id })));
}

/** Adds a payment of $100.00 for its own invoice. */
export const addPayment = (id: string, fields: Row = {}) =>
  add('payment_attempts', {
    id,
    invoice_id: id,
    receipt_id: id,
    collection: 1,
    state: 'approved',
    amount_cents: 10_000,
    currency: 'USD',
    ...fields,
  });

/** Adds a ledger entry, by default the charge of a payment. */
export const addEntry = (attemptId: string, fields: Row = {}) =>
  add('ledger', {
    provider_txn_id: `txn-${attemptId}`,
    attempt_id: attemptId,
    invoice_id: attemptId,
    kind: 'payment',
    amount_cents: 10_000,
    currency: 'USD',
    channel: 'link',
    method: 'card',
    brand: 'VISA',
    at: 1,
    ...fields,
  });

/** An audit event for a data function to write. */
export const eventOf = (action: TextEvent['action'], fields: Partial<TextEvent> = {}): TextEvent => ({
  accountId: ACCOUNT,
  id: crypto.randomUUID(),
  at: 1,
  actorKind: 'system',
  actorId: '',
  sessionId: '',
  ipHash: '',
  action,
  subjectKind: '',
  subjectId: '',
  before: '',
  after: '',
  requestId: '',
  ...fields,
});

/** The actions in the audit trail, oldest first. */
export const readAuditActions = async () =>
  (await env.DB.prepare('SELECT action FROM audit_events ORDER BY seq').all<{ action: string }>()).results.map(
    ({ action }) => action,
  );

/** The rows of a query. */
export const rowsOf = async <T = Row>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<T>()
  ).results;
