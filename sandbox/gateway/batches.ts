import type { SQLInputValue } from 'node:sqlite';
import { decimalFromCents } from '#shared/money';
import type { World } from '../world.ts';
import { findTerminal, type Terminal } from './terminals/terminals.ts';
import { gatewayTime, omitEmpty } from './transactions.ts';
import { type Answer, type PageWindow, pageOf, refusal, success, timeOf } from './wire.ts';

type Batch = {
  id: number;
  terminal_id: string;
  status: 'OPEN' | 'PENDING' | 'CLOSED' | 'FAILED';
  opened_ms: number;
  /** Time (ms) at which processing of the batch ends. */
  settled_ms: number | null;
  confirmation_code: string | null;
  terminal_name: string;
  merchant_id: string;
  sales: number;
  sales_cents: number;
  refunds: number;
  refund_cents: number;
};

const PROCESSING_MS = 5000;

/** Sums exclude voided transactions and the voids themselves. */
const SELECT_BATCHES = `SELECT batches.*, terminals.name AS terminal_name, terminals.merchant_id AS merchant_id,
  count(CASE WHEN txn.type IN ('SALE', 'CAPTURE') THEN 1 END) AS sales,
  coalesce(sum(CASE WHEN txn.type IN ('SALE', 'CAPTURE') THEN txn.amount_cents END), 0) AS sales_cents,
  count(CASE WHEN txn.type = 'REFUND' THEN 1 END) AS refunds,
  coalesce(sum(CASE WHEN txn.type = 'REFUND' THEN txn.amount_cents END), 0) AS refund_cents
  FROM batches JOIN terminals USING (terminal_id)
  LEFT JOIN transactions AS txn ON txn.batch_id = batches.id AND txn.result = 'APPROVED' AND txn.voided = 0`;

const findBatches = (world: World, where: string, ...values: SQLInputValue[]) =>
  world.store.all<Batch>(`${SELECT_BATCHES} WHERE ${where} GROUP BY batches.id ORDER BY batches.id`, ...values);

/** All values are text. Missing values are omitted. */
function renderBatch(batch: Batch) {
  const isClosed = batch.status === 'CLOSED';
  return omitEmpty({
    id: String(batch.id),
    status: batch.status,
    'merchant-id': batch.merchant_id,
    'terminal-id': batch.terminal_id,
    'terminal-name': batch.terminal_name,
    'date-opened': gatewayTime(batch.opened_ms),
    settled: isClosed && batch.settled_ms !== null ? gatewayTime(batch.settled_ms) : null,
    'sales-count': String(batch.sales),
    'sales-total': decimalFromCents(batch.sales_cents),
    'refund-count': String(batch.refunds),
    'refund-total': decimalFromCents(batch.refund_cents),
    'net-amount': decimalFromCents(batch.sales_cents - batch.refund_cents),
    'total-count': String(batch.sales + batch.refunds),
    'confirmation-code': isClosed ? batch.confirmation_code : null,
    'switch-batch-id': isClosed ? String(batch.id).padStart(5, '0') : null,
  });
}

/** Returns the id of the terminal's open batch, which its first approved sale opens. */
export function openBatch(world: World, terminalId: string, atMs: number): number {
  const existingBatch = world.store.get<{ id: number }>(
    "SELECT id FROM batches WHERE terminal_id = ? AND status = 'OPEN'",
    terminalId,
  );
  if (existingBatch) return existingBatch.id;
  const inserted = world.store.run(
    "INSERT INTO batches (terminal_id, status, opened_ms) VALUES (?, 'OPEN', ?)",
    terminalId,
    atMs,
  );
  return Number(inserted.lastInsertRowid);
}

const confirmationCode = (batch: Pick<Batch, 'id' | 'terminal_id'>) => `CONF${batch.terminal_id}${batch.id}`;

/** Closes batches whose processing has ended. */
function finishProcessing(world: World) {
  const dueBatches = world.store.all<Pick<Batch, 'id' | 'terminal_id'>>(
    "SELECT id, terminal_id FROM batches WHERE status = 'PENDING' AND settled_ms <= ?",
    world.now(),
  );
  for (const batch of dueBatches)
    world.store.run(
      "UPDATE batches SET status = 'CLOSED', confirmation_code = ? WHERE id = ?",
      confirmationCode(batch),
      batch.id,
    );
}

type Query = Record<string, string | undefined>;

/** Returns null if there are no batches. The gateway then responds with 204 and no body. */
export function listBatches(world: World, terminal: Terminal, query: Query) {
  finishProcessing(world);
  const conditions: [sql: string, ...values: SQLInputValue[]][] = [
    query.level === 'merchant'
      ? ['terminals.merchant_id = ?', terminal.merchant_id]
      : ['batches.terminal_id = ?', terminal.terminal_id],
  ];
  if (query.status) conditions.push(['batches.status = ?', query.status.toUpperCase()]);
  if (query['start-date']) conditions.push(['opened_ms >= ?', timeOf(query['start-date'], 'first')]);
  if (query['end-date']) conditions.push(['opened_ms <= ?', timeOf(query['end-date'], 'last')]);
  const batches = findBatches(
    world,
    conditions.map(([sql]) => sql).join(' AND '),
    ...conditions.flatMap(([, ...values]) => values),
  );
  if (batches.length === 0) return null;
  if (query.descending !== 'false') batches.reverse();
  const page: PageWindow = pageOf(query, batches.length);
  const batch = batches.slice(page.offset, page.offset + page.size).map(renderBatch);
  return success('batch', { payloadType: 'batches', batches: { batch } }, { page: page.describe(batch.length) });
}

/** A terminal's batches in wire format, newest first. */
export const batchesOf = (world: World, terminalId: string) =>
  findBatches(world, 'batches.terminal_id = ?', terminalId).reverse().map(renderBatch);

export function currentBatch(world: World, terminal: Terminal) {
  const [batch] = findBatches(world, "batches.terminal_id = ? AND batches.status = 'OPEN'", terminal.terminal_id);
  return batch ? success('batch', { payloadType: 'batch', batch: renderBatch(batch) }) : null;
}

/** Returns null if there is no batch to close. A failed batch may be closed again once no other batch is open. */
export function closeBatch(world: World, terminalId: string): Answer | null {
  return world.store.transaction(() => {
    finishProcessing(world);
    const batch = world.store.get<Pick<Batch, 'id' | 'terminal_id'>>(
      "SELECT id, terminal_id FROM batches WHERE terminal_id = ? AND status IN ('OPEN', 'FAILED') ORDER BY status DESC, id LIMIT 1",
      terminalId,
    );
    if (!batch) return null;
    const outcome = world.settings(findTerminal(world, terminalId)?.hub_id).batch_close;
    const [status, settledMs, code] = {
      closed: ['CLOSED', world.now(), confirmationCode(batch)] as const,
      pending: ['PENDING', world.now() + PROCESSING_MS, null] as const,
      failed: ['FAILED', null, null] as const,
    }[outcome];
    world.store.run(
      'UPDATE batches SET status = ?, settled_ms = ?, confirmation_code = ? WHERE id = ?',
      status,
      settledMs,
      code,
      batch.id,
    );
    if (outcome === 'failed') return refusal(500, '002', 'Batch failure');
    const [closedBatch] = findBatches(world, 'batches.id = ?', batch.id);
    return {
      status: 200,
      body: success('batch', { payloadType: 'batch', batch: closedBatch ? renderBatch(closedBatch) : null }),
    };
  });
}
