import { env } from 'cloudflare:workers';
import type { TextEvent } from '#worker/data/audit/events';
import { openDb } from '#worker/data/db';
import { insertRow } from './insert-row.ts';

type Row = Record<string, unknown>;

/** The only account of a clinic's database, in tests that write its rows themselves. */
export const ACCOUNT = 7;

export const db = openDb(env.DB);

/** Rows of that account as the test words them, one after the other. */
export async function add(table: string, ...rows: Row[]): Promise<void> {
  for (const row of rows) await insertRow(env.DB, table, { account_id: ACCOUNT, ...row });
}

/** The account with these terminals. */
export async function addClinic(more: Row = {}, ...terminals: string[]): Promise<void> {
  await add('accounts', more);
  await add('terminals', ...terminals.map((terminal_id) => ({ terminal_id })));
}

/** A payment of 100.00 for an invoice of its own. */
export const addPayment = (id: string, more: Row = {}) =>
  add('payment_attempts', {
    id,
    invoice_id: id,
    receipt_id: id,
    collection: 1,
    state: 'approved',
    amount_cents: 10_000,
    currency: 'USD',
    ...more,
  });

/** An entry of the ledger: the charge of a payment unless it says something else. */
export const addEntry = (attemptId: string, more: Row = {}) =>
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
    ...more,
  });

/** An event for a data function to write along. */
export const eventOf = (action: TextEvent['action'], more: Partial<TextEvent> = {}): TextEvent => ({
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
  ...more,
});

/** The actions of which the trail tells, oldest first. */
export const told = async () =>
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
