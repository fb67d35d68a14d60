import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { type Attempt, paymentAttempts, terminals } from '#worker/data/schema/schema';
import type { TerminalRef } from '#worker/vendors/gateway-port';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';
import { selectValues } from '../sql.ts';

export const terminalRef = (row: typeof terminals.$inferSelect): TerminalRef => ({
  accountId: row.accountId,
  terminalId: row.terminalId,
  sealedApiKey: row.apiKey,
});

export async function findTerminal(db: Db, accountId: number, terminalId: string): Promise<TerminalRef | undefined> {
  const row = await db.query.terminals.findFirst({
    where: and(eq(terminals.accountId, accountId), eq(terminals.terminalId, terminalId)),
  });
  return row && terminalRef(row);
}

/**
 * A terminal whose key can be used for requests. `refusedAt`: the time at which the card provider refused its
 * credentials (UTC ms); null if it has accepted them since.
 */
export type UsableTerminal = TerminalRef & { refusedAt: number | null };

/**
 * An account's terminals in the order of preference. Each key can read all transactions of the merchant, so terminals
 * with refused credentials come last. `preferredId`: the terminal that comes first among the others.
 */
export const listUsableTerminals = async (db: Db, accountId: number, preferredId = ''): Promise<UsableTerminal[]> =>
  (
    await db
      .select()
      .from(terminals)
      .where(eq(terminals.accountId, accountId))
      .orderBy(
        sql`${terminals.refusedAt} IS NOT NULL`,
        sql`${terminals.terminalId} <> ${preferredId}`,
        asc(terminals.createdAt),
        asc(terminals.terminalId),
      )
  ).map((row) => ({ ...terminalRef(row), refusedAt: row.refusedAt }));

/** The terminal for online payments, or else any terminal with a public key, as pay pages choose it. */
export async function findOnlineTerminal(db: Db, accountId: number): Promise<TerminalRef | undefined> {
  const [row] = await db
    .select()
    .from(terminals)
    .where(and(eq(terminals.accountId, accountId), ne(terminals.publicKey, '')))
    .orderBy(
      sql`${terminals.refusedAt} IS NOT NULL`,
      sql`${terminals.channel} = 'ecommerce' DESC`,
      asc(terminals.terminalId),
    )
    .limit(1);
  return row && terminalRef(row);
}

/** Record the time at which the card provider refused a terminal's credentials (UTC ms); null if it accepted them. */
export async function recordRefusal(
  db: Db,
  { accountId, terminalId }: Pick<TerminalRef, 'accountId' | 'terminalId'>,
  at: number | null,
): Promise<void> {
  await db
    .update(terminals)
    .set({ refusedAt: at })
    .where(and(eq(terminals.accountId, accountId), eq(terminals.terminalId, terminalId)));
}

export type NewTerminalRow = Omit<typeof terminals.$inferInsert, 'createdAt'>;

/** A statement that upserts a terminal if the condition is true. Run it alone or in a batch. */
export function upsertTerminal(db: Db, row: NewTerminalRow, now: number, condition = sql`1`) {
  // Omits the key columns. Setting them, even to the same value, makes SQLite check every row that references them.
  const { accountId: _, terminalId: __, ...columns } = row;
  return db
    .insert(terminals)
    .select(selectValues(terminals, { ...row, createdAt: now }, condition))
    .onConflictDoUpdate({
      target: [terminals.accountId, terminals.terminalId],
      // The API key may be new, so an earlier refusal no longer counts.
      set: { ...columns, refusedAt: null },
    });
}

/** Record that a counter terminal has just responded. */
export async function recordResponse(db: Db, { accountId, terminalId }: TerminalRef, at: number): Promise<void> {
  await db
    .update(terminals)
    .set({ heardAt: at })
    .where(and(eq(terminals.accountId, accountId), eq(terminals.terminalId, terminalId)));
}

/** A terminal with its name and its channel, which determines the gateway's call to close its batches. */
export async function findNamedTerminal(db: Db, accountId: number, terminalId: string) {
  const row = await db.query.terminals.findFirst({
    where: and(eq(terminals.accountId, accountId), eq(terminals.terminalId, terminalId)),
  });
  return row && { ref: terminalRef(row), channel: row.channel, name: row.name };
}
export type NamedTerminal = NonNullable<Awaited<ReturnType<typeof findNamedTerminal>>>;

/** A counter terminal with its newest sale, if any; `customer` is the name of the sale's customer. */
export type CounterTerminal = { terminal: typeof terminals.$inferSelect; sale: Sale | null };
export type Sale = { attempt: Attempt; customer: string };

const COLUMNS = `${columnsOf(terminals, 't', 't_')}, ${columnsOf(paymentAttempts, 'a', 'a_')},
  coalesce(nullif(trim(i.contact_first_name || ' ' || i.contact_last_name), ''), i.company_name, '') AS customer`;

const JOIN_INVOICE = 'LEFT JOIN invoices i ON i.account_id = a.account_id AND i.invoice_id = a.invoice_id';

const SELECT_COUNTER_TERMINALS = `SELECT ${COLUMNS} FROM terminals t
LEFT JOIN payment_attempts a ON a.id = (
  SELECT id FROM payment_attempts WHERE account_id = t.account_id AND terminal_id = t.terminal_id AND channel = 'terminal'
  ORDER BY created_at DESC, rowid DESC LIMIT 1)
${JOIN_INVOICE}
WHERE t.account_id = ?1 AND t.channel = 'counter' ORDER BY t.name, t.terminal_id`;

const SELECT_SALE = `SELECT ${COLUMNS} FROM payment_attempts a
JOIN terminals t ON t.account_id = a.account_id AND t.terminal_id = a.terminal_id
${JOIN_INVOICE}
WHERE a.account_id = ?1 AND a.id = ?2 AND a.channel = 'terminal'`;

/** Finds the newest sale with a request's key, because the key may be reused after a sale has ended. */
const SELECT_SALE_BY_KEY = `SELECT ${COLUMNS} FROM payment_attempts a INDEXED BY payment_attempts_invoice
JOIN terminals t ON t.account_id = a.account_id AND t.terminal_id = a.terminal_id
${JOIN_INVOICE}
WHERE a.account_id = ?1 AND a.invoice_id = ?3 AND a.attempt_key = ?2 AND a.channel = 'terminal'
ORDER BY a.created_at DESC LIMIT 1`;

const counterTerminalOf = (raw: RawRow): CounterTerminal => ({
  terminal: rowOf(terminals, raw, 't_'),
  sale: raw.a_id === null ? null : { attempt: rowOf(paymentAttempts, raw, 'a_'), customer: String(raw.customer ?? '') },
});

/** An account's counter terminals, each with its newest sale. */
export async function listCounterTerminals({ $client: d1 }: Db, accountId: number): Promise<CounterTerminal[]> {
  const { results } = await d1.prepare(SELECT_COUNTER_TERMINALS).bind(accountId).all<RawRow>();
  return results.map(counterTerminalOf);
}

/** The sale's id, or the key of the request that started it, with the CRM's id of its invoice. */
export type SaleKey = { id: string } | { attemptKey: string; invoiceId: string };

export async function findSale(
  { $client: d1 }: Db,
  accountId: number,
  key: SaleKey,
): Promise<(CounterTerminal & { sale: Sale }) | null> {
  const statement =
    'id' in key
      ? d1.prepare(SELECT_SALE).bind(accountId, key.id)
      : d1.prepare(SELECT_SALE_BY_KEY).bind(accountId, key.attemptKey, key.invoiceId);
  const raw = await statement.first<RawRow>();
  const counter = raw && counterTerminalOf(raw);
  return counter?.sale ? { ...counter, sale: counter.sale } : null;
}

/** Condition for a claim: no sale that started after `startedAfter` (UTC ms) is or may be waiting on this terminal. */
export const isTerminalFree = (accountId: number, terminalId: string, startedAfter: number) => sql`NOT EXISTS (
  SELECT 1 FROM payment_attempts WHERE account_id = ${accountId} AND terminal_id = ${terminalId} AND channel = 'terminal'
  AND created_at > ${startedAfter} AND state IN ('sent', 'unknown'))`;
