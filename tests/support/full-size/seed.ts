import { seedContacts, seedInvoices } from '#tests/bench/seed-lists';
import { seedAttempts, seedLedger } from '#tests/bench/seed-payments';

const ROWS = 3000;

/** The gateway's transactions of account ?1. Every 150th is not in the ledger, every 200th has a different amount. */
const GATEWAY_TRANSACTIONS = `INSERT INTO gateway_transactions (account_id, provider_txn_id, method, terminal_id, batch_id, kind, state, is_voided,
    amount_cents, net_cents, order_id, parent_id, dedupe_key, card, payer, at, seen_at, verdict)
  SELECT account_id, iif(rowid % 150 = 0, 'x-', '') || provider_txn_id, method, 't', '7', upper(kind), 'approved', 0,
    amount_cents, amount_cents, iif(rowid % 150 = 0, '', attempt_id), '', invoice_id, 'XXXX1111', 'Marta Núñez', at, at,
    CASE WHEN rowid % 150 = 0 THEN 'only-gateway' WHEN rowid % 200 = 0 THEN 'amount-differs' ELSE 'matched' END
  FROM ledger WHERE account_id = ?1`;

/** Seeds several years of a clinic: 3,000 invoices, 600 customers, 3,000 payments. */
export async function seedClinic(d1: D1Database, accountId: number, today: string): Promise<void> {
  const run = (sql: string, ...values: (string | number)[]) => d1.prepare(sql).bind(...values);
  await d1.batch([
    run(seedInvoices, accountId, 0, ROWS),
    run(seedContacts, accountId, 0, ROWS / 5),
    run(seedAttempts.approved, accountId, 0, ROWS, today, 'approved'),
    run(seedAttempts.declined, accountId, 0, ROWS, today, 'declined'),
    ...seedLedger.map((sql) => run(sql, accountId, 0, ROWS, today)),
    run(GATEWAY_TRANSACTIONS, accountId),
  ]);
}
