import type { SQLInputValue } from 'node:sqlite';
import { decimalFromCents } from '#shared/money';
import type { World } from '../world.ts';

export type Transaction = {
  seq: number;
  terminal_id: string;
  merchant_id: string;
  kind: 'card' | 'ach';
  type: 'SALE' | 'AUTH' | 'CAPTURE' | 'VOID' | 'REFUND' | 'DEBIT';
  result: 'APPROVED' | 'DECLINED';
  result_code: string;
  display_message: string;
  amount_cents: number;
  order_id: string;
  invoice: string;
  batch_id: number | null;
  ref_seq: number | null;
  authorization_code: string;
  last_four: string;
  card_type: string;
  exp_date: string;
  return_code: string | null;
  created_ms: number;
  voided: number;
  captured: number;
  /** The billing address and other fields that the caller sent, as JSON. */
  extra: string;
};

/** Transaction ids are numeric text and are never reused, not even after a reset. */
const FIRST_ID = 218_490_000;
export const idOf = (seq: number) => String(FIRST_ID + seq);
export const seqOf = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) - FIRST_ID : -1);

export const newestSeq = (world: World) =>
  world.store.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM transactions')?.seq ?? 0;

export function findTransactions(world: World, where: string, ...values: SQLInputValue[]): Transaction[] {
  return world.store.all<Transaction>(`SELECT * FROM transactions WHERE ${where}`, ...values);
}

export function insertTransaction(world: World, row: Omit<Transaction, 'seq' | 'voided' | 'captured'>): Transaction {
  const { lastInsertRowid } = world.store.run(
    `INSERT INTO transactions (terminal_id, merchant_id, kind, type, result, result_code, display_message, amount_cents, order_id, invoice,
       batch_id, ref_seq, authorization_code, last_four, card_type, exp_date, return_code, created_ms, extra)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.terminal_id,
    row.merchant_id,
    row.kind,
    row.type,
    row.result,
    row.result_code,
    row.display_message,
    row.amount_cents,
    row.order_id,
    row.invoice,
    row.batch_id,
    row.ref_seq,
    row.authorization_code,
    row.last_four,
    row.card_type,
    row.exp_date,
    row.return_code,
    row.created_ms,
    row.extra,
  );
  return { ...row, seq: Number(lastInsertRowid), voided: 0, captured: 0 };
}

/** A batch that is processing or failed is not closed yet, but its transactions can no longer be voided. */
const batchStatus = (world: World, row: Transaction) =>
  row.batch_id === null
    ? undefined
    : world.store.get<{ status: string }>('SELECT status FROM batches WHERE id = ?', row.batch_id)?.status;

export const isInOpenBatch = (world: World, row: Transaction) => batchStatus(world, row) === 'OPEN';

export function refundedCents(world: World, row: Transaction): number {
  const sql =
    "SELECT coalesce(sum(amount_cents), 0) AS cents FROM transactions WHERE ref_seq = ? AND type = 'REFUND' AND result = 'APPROVED' AND voided = 0";
  return world.store.get<{ cents: number }>(sql, row.seq)?.cents ?? 0;
}

/** Six letters and digits that look like an issuer's code and differ from sale to sale. */
export const authorizationCode = (seed: number) => `TAS${String((seed * 7919) % 1000).padStart(3, '0')}`;

/** "2024-04-09 14:53:24.148", without a time zone, as the vendor sends it. */
export const gatewayTime = (ms: number) => new Date(ms).toISOString().replace('T', ' ').replace('Z', '');

/** Omits null and empty members, as the wire format does. */
export const omitEmpty = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );

function commonFields(row: Transaction) {
  return {
    id: idOf(row.seq),
    amount: decimalFromCents(row.amount_cents),
    'original-amount': decimalFromCents(row.amount_cents),
    type: row.type,
    result: row.result,
    'display-message': row.display_message,
    'result-code': row.result_code,
    'authorization-code': row.authorization_code,
    'last-four': row.last_four,
    'card-type': row.card_type,
    'exp-date': row.exp_date,
    created: gatewayTime(row.created_ms),
    'ref-id': row.ref_seq === null ? null : idOf(row.ref_seq),
    invoice: row.invoice,
    'order-id': row.order_id,
    'merchant-id': row.merchant_id,
    'terminal-id': row.terminal_id,
    ...JSON.parse(row.extra),
  };
}

/** In sale responses, booleans are booleans, the card is masked, and the batch id has no padding. */
export function renderAnswer(row: Transaction) {
  return omitEmpty({
    ...commonFields(row),
    card: `XXXXXXXXXXXX${row.last_four}`,
    'batch-string-id': row.batch_id === null ? null : String(row.batch_id),
    pending: false,
    settled: false,
    voided: row.voided === 1,
  });
}

/** Lists are the only responses in which batch ids are padded with zeros. */
export function renderListItem(world: World, row: Transaction) {
  const isSettled = batchStatus(world, row) === 'CLOSED';
  return omitEmpty({
    ...commonFields(row),
    card: `XXXXXXXXXXXX${row.last_four}`,
    'batch-string-id': row.batch_id === null ? null : String(row.batch_id).padStart(6, '0'),
    pending: row.result === 'APPROVED' && !isSettled,
    settled: isSettled,
    voided: row.voided === 1,
  });
}

/** In details, booleans are text, and only the last four digits of the card are shown. */
export function renderDetail(world: World, row: Transaction) {
  const fields = renderListItem(world, row);
  const textFields = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'boolean' ? String(value) : value]),
  );
  return { ...textFields, card: row.last_four, status: row.result === 'APPROVED' ? 'Approved' : 'Declined' };
}
