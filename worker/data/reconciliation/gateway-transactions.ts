import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import type { PaymentMethod } from '#shared/contracts/payment';
import {
  type AttemptState,
  type GatewayRow,
  gatewayTransactions as transactionTable,
} from '#worker/data/schema/schema';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import type { Db, RawRow } from '../db.ts';
import { jsonParts, prepare, raw, rawSql } from '../sql.ts';
import { IS_CORRECTION, ledgerCentsOf } from './transaction-queries.ts';

/** A gateway transaction with our verdict. */
export type JudgedTransaction = {
  txn: GatewayTransaction;
  method: PaymentMethod;
  seenAt: number;
  /** The net amount (cents); null if it is not decided yet. */
  netAmountCents: number | null;
  /** The amount in our ledger at the time of the verdict (cents); null if the ledger has none. */
  oursCents: number | null;
  verdict: GatewayRow['verdict'];
};

const firstTerminal = (accountId: number) =>
  sql`(SELECT min(created_at) FROM terminals WHERE account_id = ${accountId})`;

/** Our data for a verdict. */
export type OurRecords = {
  /** The ledger's cents by the gateway's id, for one method; omits transactions that are not in our ledger. */
  ledgerCents: Map<string, number>;
  /** The time at which the merchant's first terminal was added (UTC ms); null if there is none. */
  ourSince: number | null;
};

export async function readOurRecords(
  db: Db,
  accountId: number,
  method: PaymentMethod,
  txnIds: string[],
): Promise<OurRecords> {
  const records: OurRecords = { ledgerCents: new Map(), ourSince: null };
  for (const ids of jsonParts(txnIds)) {
    const rows = await db.all<{ id: string; ours: number | null; since: number | null }>(
      sql`SELECT value AS id, ${sql.raw(ledgerCentsOf('asked.account_id', 'asked.method', 'value'))} AS ours, asked.since AS since
        FROM (SELECT ${accountId} AS account_id, ${method} AS method, ${firstTerminal(accountId)} AS since) AS asked, json_each(${ids})`,
    );
    for (const { id, ours: cents, since } of rows) {
      if (cents !== null) records.ledgerCents.set(id, cents);
      records.ourSince = since;
    }
  }
  return records;
}

/** A stored transaction, with flags for its effect on our payments. */
export type StoredTransaction = GatewayRow & {
  /**
   * True if its order id is one of our payments that is undecided, or that failed although the gateway has a charge.
   */
  isAwaited: boolean;
  /** True if it refunds a payment in our ledger. */
  isOfOurs: boolean;
};

const existsSql = (condition: string) => sql<boolean>`${sql.raw(`EXISTS (SELECT 1 ${condition})`)}`.mapWith(Boolean);

/** These are read together with each row, because a query per row would exceed the platform's limits in a night. */
const storedColumns = (undecided: AttemptState[]) => ({
  ...getTableColumns(transactionTable),
  isAwaited: existsSql(`FROM payment_attempts a WHERE a.id = order_id AND a.account_id = gateway_transactions.account_id
    AND (a.state IN (${undecided.map((state) => `'${state}'`).join(', ')})
      OR (a.state IN ('declined', 'rejected', 'returned') AND verdict = 'only-gateway'))`),
  isOfOurs:
    existsSql(`FROM ledger l WHERE l.account_id = gateway_transactions.account_id AND l.provider_txn_id = parent_id
    AND l.method = gateway_transactions.method AND parent_id <> ''`),
});

/**
 * Store transactions of one method with their verdicts, in one statement per 1 MB of rows. Skips transactions with a
 * later stored state, and those whose ledger amount has changed since the verdict. Returns the rows that are final for
 * this read, in no particular order; the other transactions need a new verdict.
 */
export async function saveJudgedTransactions(
  db: Db,
  accountId: number,
  method: PaymentMethod,
  judged: JudgedTransaction[],
  { ourSince, undecided }: Pick<OurRecords, 'ourSince'> & { undecided: AttemptState[] },
): Promise<StoredTransaction[]> {
  const saved = new Map<string, StoredTransaction>();
  const values = judged.map(({ txn, method, seenAt, netAmountCents, oursCents, verdict }) => ({
    id: txn.id,
    method,
    terminal: txn.terminalId,
    batch: txn.batchId,
    kind: txn.kind,
    state: txn.state,
    voided: txn.isVoided ? 1 : 0,
    amount: txn.amountCents,
    effect: netAmountCents,
    order: txn.attemptId,
    parent: txn.parentId,
    key: txn.dedupeKey,
    card: txn.maskedCard,
    at: txn.createdAt,
    payer: `${txn.name.first} ${txn.name.last}`.trim(),
    seen: seenAt,
    verdict,
    ours: oursCents,
  }));
  const fields = storedColumns(undecided);
  for (const rows of jsonParts(values)) {
    const writtenRows = await db
      .insert(transactionTable)
      .select(selectJudged(accountId, rows, ourSince))
      .onConflictDoUpdate({
        target: [transactionTable.accountId, transactionTable.providerTxnId, transactionTable.method],
        set: NEW_VALUES,
        setWhere: MAY_REPLACE,
      })
      .returning(fields);
    for (const row of writtenRows) saved.set(row.providerTxnId, row);
  }
  const notSaved = judged.filter(({ txn }) => !saved.has(txn.id));
  const unsaved = new Map(notSaved.map((transaction) => [transaction.txn.id, transaction]));
  const stored = await listStored(db, accountId, method, [...unsaved.keys()], fields);
  // A stored void or return overrides even a later read.
  const isNewer = (row: StoredTransaction) => {
    const transaction = unsaved.get(row.providerTxnId);
    return (
      transaction !== undefined &&
      (row.seenAt > transaction.seenAt || (isReversed(row) && !isReversed(transaction.txn)))
    );
  };
  return [...saved.values(), ...stored.filter(isNewer)];
}

/** The columns in the order of the table, for transactions whose ledger amount has not changed since the verdict. */
const selectJudged = (accountId: number, rows: string, ourSince: number | null) => sql`
  SELECT asked.account_id, value->>'id', value->>'method', value->>'terminal', value->>'batch',
    value->>'kind', value->>'state', value->>'voided', value->>'amount', value->>'effect', value->>'order',
    value->>'parent', value->>'key', value->>'card', value->>'payer', value->>'at', value->>'seen', value->>'verdict'
  FROM (SELECT ${accountId} AS account_id) AS asked, json_each(${rows})
  WHERE ${firstTerminal(accountId)} IS ${ourSince} AND ${sql.raw(ledgerCentsOf('asked.account_id', "value->>'method'", "value->>'id'"))} IS value->>'ours'`;

const excludedColumn = (column: string) => sql.raw(`excluded.${column}`);

const NEW_VALUES = {
  batchId: excludedColumn('batch_id'),
  state: excludedColumn('state'),
  isVoided: excludedColumn('is_voided'),
  amountCents: excludedColumn('amount_cents'),
  netAmountCents: excludedColumn('net_cents'),
  seenAt: excludedColumn('seen_at'),
  verdict: excludedColumn('verdict'),
};

/** True if a transaction was voided, or returned by the payer's bank. Both are final. */
const isReversed = ({ isVoided, state }: Pick<GatewayTransaction, 'isVoided' | 'state'>): boolean =>
  isVoided || state === 'returned';
const isReversedSql = (table: string) => sql.raw(`(${table}.is_voided OR ${table}.state = 'returned')`);
/** The gateway's lists may lag by this long (ms); until then, no read undoes a void or return. */
const LAG_MS = 12 * 3_600_000;
const MAY_REPLACE = sql`excluded.seen_at >= ${transactionTable.seenAt} AND (${isReversedSql('excluded')} >= ${isReversedSql('gateway_transactions')}
  OR excluded.seen_at >= ${transactionTable.seenAt} + ${LAG_MS})`;

/** Stored rows of one method by the gateway's ids. */
async function listStored(
  db: Db,
  accountId: number,
  method: PaymentMethod,
  ids: string[],
  fields: ReturnType<typeof storedColumns>,
): Promise<StoredTransaction[]> {
  const rows: StoredTransaction[] = [];
  for (const part of jsonParts(ids)) {
    const isListed = sql`${transactionTable.providerTxnId} IN (SELECT value FROM json_each(${part}))`;
    rows.push(
      ...(await db
        .select(fields)
        .from(transactionTable)
        .where(and(eq(transactionTable.accountId, accountId), eq(transactionTable.method, method), isListed))),
    );
  }
  return rows;
}

/** A transaction with its invoice, found by our own attempt or else by the number sent to the gateway. */
export type ReconciliationLine = {
  row: GatewayRow;
  ourCents: number | null;
  attemptId: string | null;
  invoice: { id: string; number: string; customer: string } | null;
};

/**
 * SQL: the invoice to which a key refers. Our own keys start with the CRM's id, which is tried first. An invoice number
 * counts only if a single invoice has it.
 */
const NAMED_INVOICE = `coalesce(
    (SELECT keyed.invoice_id FROM invoices keyed
      WHERE keyed.account_id = g.account_id AND keyed.invoice_id = rtrim(rtrim(g.dedupe_key, '0123456789.'), '-')),
    (SELECT max(named.invoice_id) FROM invoices named
      WHERE named.account_id = g.account_id AND named.number = g.dedupe_key COLLATE NOCASE AND named.deleted_at IS NULL
        AND g.dedupe_key <> '' HAVING count(*) = 1))`;

const SELECT_LINES =
  raw(`SELECT g.provider_txn_id AS txn, g.method, ifnull(a.id, l.attempt_id) AS attempt_id, ${ledgerCentsOf('g.account_id', 'g.method', 'g.provider_txn_id')} AS ours,
    i.invoice_id, i.number, trim(i.contact_first_name || ' ' || i.contact_last_name) AS contact, i.company_name
  FROM gateway_transactions g
  LEFT JOIN ledger l ON l.account_id = g.account_id AND l.provider_txn_id = g.provider_txn_id AND l.method = g.method
  LEFT JOIN ledger p ON p.account_id = g.account_id AND p.provider_txn_id = g.parent_id AND p.method = g.method
    AND g.parent_id <> ''
  LEFT JOIN payment_attempts a ON a.id = coalesce(l.attempt_id, p.attempt_id, g.order_id) AND a.account_id = g.account_id
  LEFT JOIN invoices i ON i.account_id = g.account_id AND i.invoice_id = coalesce(a.invoice_id, ${NAMED_INVOICE})`);

/** Add the ledger amount, attempt and invoice to each of an account's transactions; keeps their order. */
export async function addDetails(db: Db, rows: GatewayRow[]): Promise<ReconciliationLine[]> {
  const accountId = rows[0]?.accountId ?? null;
  const byId = new Map<unknown, RawRow>();
  for (const ids of jsonParts(rows.map(({ providerTxnId }) => providerTxnId))) {
    const { results } = await prepare(
      db.$client,
      rawSql`${SELECT_LINES} WHERE g.account_id = ${accountId} AND g.provider_txn_id IN (SELECT value FROM json_each(${ids}))`,
    ).all<RawRow>();
    for (const result of results) byId.set(`${result.method} ${result.txn}`, result);
  }
  return rows.map((row) => {
    const details = byId.get(`${row.method} ${row.providerTxnId}`) ?? {};
    return {
      row,
      ourCents: typeof details.ours === 'number' ? details.ours : null,
      attemptId: typeof details.attempt_id === 'string' ? details.attempt_id : null,
      invoice: invoiceOf(details),
    };
  });
}

const invoiceOf = (row: RawRow): ReconciliationLine['invoice'] =>
  typeof row.invoice_id === 'string'
    ? {
        id: row.invoice_id,
        number: String(row.number ?? ''),
        customer: String(row.contact || row.company_name || ''),
      }
    : null;

/** Ids of the refunds of a transaction, as last read from the gateway. */
export async function listRefundsOf(
  db: Db,
  { accountId, method }: Pick<GatewayRow, 'accountId' | 'method'>,
  providerTxnId: string,
): Promise<string[]> {
  const rows = await db
    .select({ id: transactionTable.providerTxnId })
    .from(transactionTable)
    // Must match the partial index word for word, or SQLite does not use it.
    .where(
      and(
        eq(transactionTable.accountId, accountId),
        eq(transactionTable.method, method),
        eq(transactionTable.parentId, providerTxnId),
        sql`parent_id <> ''`,
        lt(transactionTable.netAmountCents, 0),
      ),
    );
  return rows.map(({ id }) => id);
}

/** Transactions that do not match our data, newest first. */
export const listMismatches = (db: Db, accountId: number, limit: number): Promise<GatewayRow[]> =>
  db
    .select()
    .from(transactionTable)
    // Must match the partial index word for word, or SQLite does not use it.
    .where(
      and(
        eq(transactionTable.accountId, accountId),
        sql`${transactionTable.verdict} IN ('only-gateway', 'amount-differs')`,
      ),
    )
    .orderBy(desc(transactionTable.at))
    .limit(limit);

/** A ledger entry that the gateway does not list. */
export type MissingAtGateway = {
  providerTxnId: string;
  attemptId: string;
  cents: number;
  at: number;
  invoice: ReconciliationLine['invoice'];
};

/** Payments and refunds in our ledger between two times (UTC ms, inclusive) without a gateway transaction. */
export async function listMissingAtGateway(
  db: Db,
  accountId: number,
  method: PaymentMethod,
  { from, to, terminalId, limit }: { from: number; to: number; terminalId?: string; limit: number },
): Promise<MissingAtGateway[]> {
  const terminalCondition = terminalId === undefined ? raw('') : rawSql`AND a.terminal_id = ${terminalId}`;
  const { results } = await prepare(
    db.$client,
    rawSql`SELECT l.provider_txn_id, l.attempt_id, l.amount_cents, l.at, i.invoice_id, i.number,
        trim(i.contact_first_name || ' ' || i.contact_last_name) AS contact, i.company_name
      FROM ledger l INDEXED BY ledger_day CROSS JOIN payment_attempts a ON a.id = l.attempt_id
      LEFT JOIN invoices i ON i.account_id = l.account_id AND i.invoice_id = l.invoice_id
      WHERE l.account_id = ${accountId} AND l.at BETWEEN ${from} AND ${to} AND l.method = ${method}
        AND l.kind IN ('payment', 'refund') ${terminalCondition} AND NOT ${raw(IS_CORRECTION)}
        AND NOT EXISTS (SELECT 1 FROM gateway_transactions g WHERE g.account_id = l.account_id AND g.provider_txn_id = l.provider_txn_id
          AND g.method = l.method)
      ORDER BY l.at DESC LIMIT ${limit}`,
  ).all<RawRow>();
  return results.map((row) => ({
    providerTxnId: String(row.provider_txn_id),
    attemptId: String(row.attempt_id),
    cents: Number(row.amount_cents),
    at: Number(row.at),
    invoice: invoiceOf(row),
  }));
}
