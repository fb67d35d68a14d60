import type { SQLInputValue } from 'node:sqlite';
import type { Context } from 'hono';
import { parseCents } from '#shared/money';
import type { SandboxEnv, World } from '../world.ts';
import type { Terminal } from './terminals/terminals.ts';
import { findTransactions, renderDetail, renderListItem, seqOf, type Transaction } from './transactions.ts';
import { pageOf, success, timeOf } from './wire.ts';

type Condition = [sql: string, ...values: SQLInputValue[]];

/** Builds the filters that the vendor documents. There is none for batches. */
function buildConditions(
  world: World,
  c: Context<SandboxEnv>,
  terminal: Terminal,
  kind: Transaction['kind'],
): Condition[] {
  const query = (name: string) => c.req.query(name);
  const filters: Condition[] = [
    ['kind = ?', kind],
    query('level') === 'merchant'
      ? ['merchant_id = ?', terminal.merchant_id]
      : ['terminal_id = ?', terminal.terminal_id],
    ['created_ms > ?', world.now() - 90 * 86_400_000],
  ];
  const lagMs = c.get('lagMs');
  if (lagMs > 0) filters.push(['created_ms <= ?', world.now() - lagMs]);
  const columnsByParameter = {
    type: 'type',
    'last-four': 'last_four',
    'authorization-code': 'authorization_code',
    invoice: 'invoice',
    'order-id': 'order_id',
    'display-message': 'display_message',
  };
  for (const [name, column] of Object.entries(columnsByParameter)) {
    const value = query(name);
    if (value) filters.push([`${column} = ?`, value]);
  }
  const id = query('id');
  if (id) filters.push(['seq = ?', seqOf(id)]);
  const amount = query('amount');
  if (amount) filters.push(['amount_cents = ?', parseCents(amount) ?? -1]);
  const status = query('status');
  if (status) filters.push(['result = ?', status.toUpperCase()]);
  const start = query('start-date');
  if (start) filters.push(['created_ms >= ?', timeOf(start, 'first')]);
  const end = query('end-date');
  if (end) filters.push(['created_ms <= ?', timeOf(end, 'last')]);
  return filters;
}

export type Page = { rows: Transaction[]; paging: Record<string, unknown> };

/** Returns null if nothing is found. The gateway then responds with 204 and no body. */
export function lookUp(
  world: World,
  c: Context<SandboxEnv>,
  terminal: Terminal,
  kind: Transaction['kind'],
): Page | null {
  const filters = buildConditions(world, c, terminal, kind);
  const where = filters.map(([sql]) => sql).join(' AND ');
  const values = filters.flatMap(([, ...rest]) => rest);
  const total =
    world.store.get<{ n: number }>(`SELECT count(*) AS n FROM transactions WHERE ${where}`, ...values)?.n ?? 0;
  if (total === 0) return null;
  const direction = c.req.query('isDescending') === 'false' ? 'ASC' : 'DESC';
  const pageWindow = pageOf(c.req.query(), total, { property: 'created', direction });
  const rows = findTransactions(
    world,
    `${where} ORDER BY seq ${direction} LIMIT ? OFFSET ?`,
    ...values,
    pageWindow.size,
    pageWindow.offset,
  );
  return { rows, paging: pageWindow.describe(rows.length) };
}

/** Returns one transaction in detail if an id is given, otherwise a page of a list. */
export function cardTransactions(world: World, c: Context<SandboxEnv>, terminal: Terminal) {
  const page = lookUp(world, c, terminal, 'card');
  if (!page) return null;
  const [first] = page.rows;
  if (c.req.query('id') && first)
    return success('transaction', { payloadType: 'transaction', transaction: renderDetail(world, first) });
  const transaction = page.rows.map((row) => renderListItem(world, row));
  return success('transaction', { payloadType: 'transactions', transactions: { transaction } }, { page: page.paging });
}
