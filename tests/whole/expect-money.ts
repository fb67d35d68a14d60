import { expect } from 'vitest';
import type { useProduct } from '#tests/support/product/product';

export type Product = ReturnType<typeof useProduct>;
type Invoice = { invoiceId: string; number: string };
type SqlValue = string | number | null;

async function run<T>({ db }: ReturnType<Product['deps']>, statement: string, values: SqlValue[]): Promise<T[]> {
  const { results } = await db.$client
    .prepare(statement)
    .bind(...values)
    .all<T>();
  return results;
}

/** Runs one statement on the database of account 1's clinic. */
export const sql = <T>({ deps }: Pick<Product, 'deps'>, statement: string, ...values: SqlValue[]): Promise<T[]> =>
  run(deps(), statement, values);

/** The same on the installation's database. */
export const installationSql = <T>(
  { installation }: Pick<Product, 'installation'>,
  statement: string,
  ...values: SqlValue[]
): Promise<T[]> => run(installation(), statement, values);

export type LedgerRow = {
  provider_txn_id: string;
  kind: string;
  amount_cents: number;
  attempt_id: string;
  brand: string;
};
export type AttemptRow = Record<string, string | number | null> & { id: string; state: string };

/** The payment records of an invoice. */
export async function readBookings(product: Product, { invoiceId }: Pick<Invoice, 'invoiceId'>) {
  const rowsOf = (table: string) => `SELECT * FROM ${table} WHERE account_id = ? AND invoice_id = ?`;
  const { hubId: accountId } = product.account;
  const [[invoice], ledger, attempts] = await Promise.all([
    sql<{ local_status: string }>(product, rowsOf('invoices'), accountId, invoiceId),
    sql<LedgerRow>(product, rowsOf('ledger'), accountId, invoiceId),
    sql<AttemptRow>(product, `${rowsOf('payment_attempts')} ORDER BY created_at`, accountId, invoiceId),
  ]);
  return { ledger, attempts, localStatus: invoice?.local_status };
}

const approvedCharges = async (product: Product, { number }: Invoice) =>
  (await product.charges(number)).filter(({ result }) => result === 'APPROVED');

/** No charge at the gateway, no row in the ledger, and the invoice is still open. */
export async function expectNoMoney(product: Product, invoice: Invoice) {
  const { ledger, localStatus } = await readBookings(product, invoice);
  expect(ledger, 'ledger').toEqual([]);
  expect(['none', undefined]).toContain(localStatus);
  expect(await approvedCharges(product, invoice), 'charges at the gateway').toEqual([]);
}

/** One charge at the gateway and one ledger entry, and they agree. */
export async function expectPaidOnce(product: Product, invoice: Invoice, amount: string) {
  const charges = await approvedCharges(product, invoice);
  expect(charges).toHaveLength(1);
  expect(charges[0]?.amount).toBe(amount);
  const { ledger, localStatus } = await readBookings(product, invoice);
  expect(ledger).toHaveLength(1);
  expect(ledger[0]).toMatchObject({
    provider_txn_id: charges[0]?.id,
    kind: 'payment',
    amount_cents: Math.round(Number(amount) * 100),
  });
  expect(localStatus).toBe('paid');
}
