import { sql } from 'drizzle-orm';
import { type Attempt, paymentAttempts, terminals } from '#worker/data/schema/schema';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';

/** A counter terminal with its newest sale, if any; `customer` is the name of the sale's customer. */
export type CounterTerminal = { terminal: typeof terminals.$inferSelect; sale: Sale | null };
export type Sale = { attempt: Attempt; customer: string };

const COLUMNS = `${columnsOf(terminals, 't', 't_')}, ${columnsOf(paymentAttempts, 'a', 'a_')},
  coalesce(nullif(trim(i.contact_first_name || ' ' || i.contact_last_name), ''), i.company_name, '') AS customer`;

const INVOICE = 'LEFT JOIN invoices i ON i.account_id = a.account_id AND i.invoice_id = a.invoice_id';

const COUNTER_TERMINALS = `SELECT ${COLUMNS} FROM terminals t
LEFT JOIN payment_attempts a ON a.id = (
  SELECT id FROM payment_attempts WHERE account_id = t.account_id AND terminal_id = t.terminal_id AND channel = 'terminal'
  ORDER BY created_at DESC, rowid DESC LIMIT 1)
${INVOICE}
WHERE t.account_id = ?1 AND t.channel = 'counter' ORDER BY t.name, t.terminal_id`;

const SALE = `SELECT ${COLUMNS} FROM payment_attempts a
JOIN terminals t ON t.account_id = a.account_id AND t.terminal_id = a.terminal_id
${INVOICE}
WHERE a.account_id = ?1 AND a.id = ?2 AND a.channel = 'terminal'`;

/** By the key of one press, which a press after an ended sale may have had again. */
const SALE_OF_PRESS = `SELECT ${COLUMNS} FROM payment_attempts a INDEXED BY payment_attempts_invoice
JOIN terminals t ON t.account_id = a.account_id AND t.terminal_id = a.terminal_id
${INVOICE}
WHERE a.account_id = ?1 AND a.invoice_id = ?3 AND a.attempt_key = ?2 AND a.channel = 'terminal'
ORDER BY a.created_at DESC LIMIT 1`;

const counterTerminalFrom = (raw: RawRow): CounterTerminal => ({
  terminal: rowOf(terminals, raw, 't_'),
  sale: raw.a_id === null ? null : { attempt: rowOf(paymentAttempts, raw, 'a_'), customer: String(raw.customer ?? '') },
});

/** An account's counter terminals, each with its newest sale. */
export async function listCounterTerminals({ $client: d1 }: Db, accountId: number): Promise<CounterTerminal[]> {
  const { results } = await d1.prepare(COUNTER_TERMINALS).bind(accountId).all<RawRow>();
  return results.map(counterTerminalFrom);
}

/** By its id, or by the key of the press that started it and the CRM's id of its invoice. */
export type SaleName = { id: string } | { attemptKey: string; invoiceId: string };

export async function findSale(
  { $client: d1 }: Db,
  accountId: number,
  name: SaleName,
): Promise<(CounterTerminal & { sale: Sale }) | null> {
  const statement =
    'id' in name
      ? d1.prepare(SALE).bind(accountId, name.id)
      : d1.prepare(SALE_OF_PRESS).bind(accountId, name.attemptKey, name.invoiceId);
  const raw = await statement.first<RawRow>();
  const counter = raw && counterTerminalFrom(raw);
  return counter?.sale ? { ...counter, sale: counter.sale } : null;
}

/** For a claim: true while no sale begun after `since` (ms) is, or may be, waiting on this terminal. */
export const terminalIsFree = (accountId: number, terminalId: string, since: number) => sql`NOT EXISTS (
  SELECT 1 FROM payment_attempts WHERE account_id = ${accountId} AND terminal_id = ${terminalId} AND channel = 'terminal'
  AND created_at > ${since} AND state IN ('sent', 'unknown'))`;
