import type { Choices, Json } from '../engine/choices.ts';
import { EVERYTHING } from './everything.ts';
import { ACCOUNT } from './setting.ts';
import type { World } from './world.ts';

/** Installments. In some runs staff have opened them for every invoice before the first move. */

const AMOUNTS = [null, null, '9.99', '25.00', '30.00', '60.00', '90.00', '119.00'];
const MIN_CENTS = [1, 100, 2_500];

/** Minimum amount of an installment (cents); 0 if the run's invoices are paid in full. */
export const minPartCents = (choices: Choices): number => {
  // In this theme installments are a feature like the others.
  if (choices.theme === EVERYTHING) return 0;
  return choices.choose('invoices stand in parts of at least', 0, (random) =>
    random.chance(0.15) ? random.pick(MIN_CENTS) : 0,
  );
};

export function openInParts({ choices, database, engine, story }: World): void {
  const minCents = minPartCents(choices);
  if (minCents === 0) return;
  story.note('staff', `opened all invoices in parts of at least ${minCents} cents`);
  database.storage.sql.exec('UPDATE accounts SET takes_installments = 1');
  database.storage.sql.exec(
    `INSERT INTO collections (account_id, invoice_id, n, base_cents, min_cents, max_installments, crm_balance_cents,
        crm_billed_cents, opened_by, opened_at)
      SELECT account_id, invoice_id, collection, balance_cents, min(?2, balance_cents), 12, balance_cents, billed_cents, 1, ?3
      FROM invoices WHERE account_id = ?1 AND balance_cents > 0`,
    ...[ACCOUNT, minCents, engine.now()],
  );
}

/** The amount to pay now for an invoice in installments. Empty: the whole rest, or an invoice paid in full. */
export function partFor({ choices, database }: World, name: string, invoiceId: string): { part?: { amount: string } } {
  const [row] = database.read<{ base: number | null }>(
    'SELECT collection_base_cents AS base FROM invoices WHERE invoice_id = ?',
    invoiceId,
  );
  if (!row || row.base === null) return {};
  const amount = choices.choose<Json>(`${name} pays`, null, (random) => random.pick(AMOUNTS));
  return typeof amount === 'string' ? { part: { amount } } : {};
}

type Base = { invoice: string; openedAt: number; balance: number; base: number; paid: number };

/** I8 for installments: the CRM's balance is that of the opening, no charge exceeds the rest. Null: paid in full. */
export function wrongPart(
  { database, crm }: World,
  orderId: string,
  cents: number,
  crmBalance: number | null,
): string[] | null {
  const [row] = database.read<Base>(
    `SELECT c.invoice_id AS invoice, c.opened_at AS openedAt, c.crm_balance_cents AS balance, c.paid_before_cents + c.base_cents AS base, coalesce((SELECT sum(o.amount_cents - o.refunded_cents) FROM payment_attempts o
        WHERE o.account_id = a.account_id AND o.invoice_id = a.invoice_id AND o.state = 'approved'), 0)
        AS paid
      FROM payment_attempts a JOIN collections c ON c.account_id = a.account_id AND c.invoice_id = a.invoice_id AND c.n = a.collection
      WHERE a.id = ?`,
    orderId,
  );
  if (!row) return null;
  const expected = row.balance - recordedSince(crm, row);
  return [
    ...(crmBalance === expected
      ? []
      : [`I8: an installment is charged, and the CRM returned ${crmBalance} instead of ${expected}`]),
    ...(cents <= row.base - row.paid
      ? []
      : [`I8: an installment of ${cents} cents is charged, and ${row.base - row.paid} are left`]),
  ];
}

/** Cents by which payment records have reduced the CRM's balance of an invoice since a collection was opened. */
function recordedSince(crm: World['crm'], { invoice, openedAt }: Base): number {
  const history = crm.truth().invoices.find(({ invoiceId }) => invoiceId === invoice)?.history ?? [];
  const cents = (balance: string | null | undefined) => Math.round(Number(balance ?? 0) * 100);
  return history.reduce(
    (sum, { at, isByRecord, balance }, n) =>
      isByRecord && at >= openedAt ? sum + cents(history[n - 1]?.balance) - cents(balance) : sum,
    0,
  );
}
