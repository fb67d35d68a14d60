import type { SQLInputValue } from 'node:sqlite';
import type { Context } from 'hono';
import { parseCents } from '#shared/money';
import type { SandboxEnv, World } from '../world.ts';
import type { Terminal } from './terminals/terminals.ts';
import { findTransactions, renderDetail, renderListed, seqOf, type Transaction } from './transactions.ts';
import { pageOf, success, timeOf } from './wire.ts';

type Condition = [sql: string, ...values: SQLInputValue[]];

/** The filters that the vendor documents; there is none for batches. */
function conditions(world: World, c: Context<SandboxEnv>, terminal: Terminal, kind: Transaction['kind']): Condition[] {
  const q = (name: string) => c.req.query(name);
  const all: Condition[] = [
    ['kind = ?', kind],
    q('level') === 'merchant' ? ['merchant_id = ?', terminal.merchant_id] : ['terminal_id = ?', terminal.terminal_id],
    ['created_ms > ?', world.now() - 90 * 86_400_000],
  ];
  const lagMs = c.get('lagMs');
  if (lagMs > 0) all.push(['created_ms <= ?', world.now() - lagMs]);
  const exact = {
    type: 'type',
    'last-four': 'last_four',
    'authorization-code': 'authorization_code',
    invoice: 'invoice',
    'order-id': 'order_id',
    'display-message': 'display_message',
  };
  for (const [name, column] of Object.entries(exact)) {
    const value = q(name);
    if (value) all.push([`${column} = ?`, value]);
  }
  const id = q('id');
  if (id) all.push(['seq = ?', seqOf(id)]);
  const amount = q('amount');
  if (amount) all.push(['amount_cents = ?', parseCents(amount) ?? -1]);
  const status = q('status');
  if (status) all.push(['result = ?', status.toUpperCase()]);
  const start = q('start-date');
  if (start) all.push(['created_ms >= ?', timeOf(start, 'first')]);
  const end = q('end-date');
  if (end) all.push(['created_ms <= ?', timeOf(end, 'last')]);
  return all;
}

export type Page = { rows: Transaction[]; paging: Record<string, unknown> };

/** Null if nothing is found: the gateway then responds with 204 and no body. */
export function lookUp(
  world: World,
  c: Context<SandboxEnv>,
  terminal: Terminal,
  kind: Transaction['kind'],
): Page | null {
  const all = conditions(world, c, terminal, kind);
  const where = all.map(([sql]) => sql).join(' AND ');
  const values = all.flatMap(([, ...rest]) => rest);
  const total =
    world.store.get<{ n: number }>(`SELECT count(*) AS n FROM transactions WHERE ${where}`, ...values)?.n ?? 0;
  if (total === 0) return null;
  const direction = c.req.query('isDescending') === 'false' ? 'ASC' : 'DESC';
  const paged = pageOf(c.req.query(), total, { property: 'created', direction });
  const rows = findTransactions(
    world,
    `${where} ORDER BY seq ${direction} LIMIT ? OFFSET ?`,
    ...values,
    paged.size,
    paged.offset,
  );
  return { rows, paging: paged.describe(rows.length) };
}

/** Returns one transaction in detail if an id is given, otherwise a page of a list. */
export function cardTransactions(world: World, c: Context<SandboxEnv>, terminal: Terminal) {
  const page = lookUp(world, c, terminal, 'card');
  if (!page) return null;
  const [first] = page.rows;
  if (c.req.query('id') && first)
    return success('transaction', { payloadType: 'transaction', transaction: renderDetail(world, first) });
  const transaction = page.rows.map((row) => renderListed(world, row));
  return success('transaction', { payloadType: 'transactions', transactions: { transaction } }, { page: page.paging });
}
