import { describe, expect, it } from 'vitest';
import { randomFrom } from '#tests/support/seeded-random';
import { insertRow } from '#tests/support/unit/insert-row';
import { type ListAccount, makeListAccount } from '#tests/support/unit/lists';
import { noRecords, type SyncedRecords, syncWrites } from '#worker/data/crm-sync/records';

type Row = Record<string, string | number | null>;

const EMPTY_ADDRESS = { address: '', city: '', state: '', zip: '' };
const CUSTOMERS = ['1', '2', '3', '4'];
const DAYS = [null, '2026-02-01', '2026-03-04', '2026-03-05'];

/** Reads the stored sums and all rows that they derive from, in one batch. */
async function readAll({ db, accountId }: ListAccount) {
  const sql = ['contacts', 'invoices', 'ledger', 'owing_customers', 'owed_totals'].map(
    (table) => `SELECT * FROM ${table}`,
  );
  const results = await db.$client.batch<Row>(
    sql.map((select) => db.$client.prepare(`${select} WHERE account_id = ?`).bind(accountId)),
  );
  const [contacts = [], invoices = [], ledger = [], owing = [], totals = []] = results.map(({ results }) => results);
  return { contacts, invoices, ledger, owing, totals };
}
type StoredRows = Awaited<ReturnType<typeof readAll>>;

const isDue = ({ local_status, status, balance_cents, deleted_at }: Row) =>
  deleted_at === null && local_status === 'none' && status === 'open' && Number(balance_cents) > 0;

const isOwed = (row: Row) => isDue(row) && row.currency === 'USD';

/** The unpaid remainder of an invoice in installments, or else the CRM's balance (cents). */
const remainingCents = ({ balance_cents, collection_base_cents, collection_paid_cents }: Row) =>
  collection_base_cents === null
    ? Number(balance_cents)
    : Number(collection_base_cents) - Number(collection_paid_cents);

/** The expected values of the stored columns, recomputed row by row without the database's own views. */
function expectedSums({ contacts, invoices, ledger }: StoredRows) {
  const sums = contacts.map(({ contact_id, deleted_at }) => {
    const customerInvoices = invoices.filter((row) => row.contact_id === contact_id && row.deleted_at === null);
    const owed = customerInvoices.filter(isOwed);
    const paid = ledger.filter(
      ({ invoice_id, attempt_id, kind }) =>
        kind === 'payment' &&
        customerInvoices.some((row) => row.invoice_id === invoice_id) &&
        !ledger.some((row) => row.attempt_id === attempt_id && ['void', 'return'].includes(String(row.kind))),
    );
    return {
      contact_id,
      deleted_at,
      owed_cents: owed.reduce((sum, row) => sum + remainingCents(row), 0),
      first_due: owed.flatMap(({ due_date }) => (due_date ? [String(due_date)] : [])).sort()[0] ?? '',
      last_paid_at: Math.max(0, ...paid.map(({ at }) => Number(at))),
    };
  });
  const days: Record<string, number> = {};
  for (const { deleted_at, owed_cents, first_due } of sums)
    if (deleted_at === null && owed_cents > 0) days[first_due] = (days[first_due] ?? 0) + 1;
  const totals: Record<string, { n: number; cents: number }> = {};
  for (const row of invoices.filter(isDue)) {
    const { n, cents } = totals[String(row.due_date ?? '')] ?? { n: 0, cents: 0 };
    totals[String(row.due_date ?? '')] = { n: n + 1, cents: cents + (isOwed(row) ? remainingCents(row) : 0) };
  }
  return { sums, days, totals };
}

const storedSums = ({ contacts, owing, totals }: StoredRows) => ({
  sums: contacts.map(({ contact_id, deleted_at, owed_cents, first_due, last_paid_at }) => ({
    contact_id,
    deleted_at,
    owed_cents,
    first_due,
    last_paid_at,
  })),
  days: Object.fromEntries(owing.map(({ first_due, n }) => [String(first_due), Number(n)])),
  totals: Object.fromEntries(totals.map(({ due_day, n, cents }) => [due_day, { n, cents }])),
});

describe('the sums stored for each customer', () => {
  it.each([1, 2, 3])(
    'equal those of their invoices and payments after any actions in any order (seed %i)',
    async (seed) => {
      const account = await makeListAccount();
      const { db, accountId } = account;
      const { pick, below } = randomFrom(seed);
      let at = 0;
      const run = (sql: string, ...values: (string | number)[]) =>
        db.$client
          .prepare(sql)
          .bind(accountId, ...values)
          .run();
      const saveRecords = (records: Partial<SyncedRecords>) =>
        db.$client.batch(
          syncWrites(db, accountId, { ...noRecords(at), ...records }, { companies: 1, contacts: 1, invoices: 1 }),
        );
      const pickInvoiceId = () => String(100 + below(12));
      const pickPayment = async () => {
        const sql = "SELECT * FROM ledger WHERE account_id = ? AND kind = 'payment' ORDER BY provider_txn_id";
        const { results } = await db.$client.prepare(sql).bind(accountId).all<Row>();
        return results.length > 0 ? pick(results) : null;
      };
      const addEntry = (kind: string, attemptId: string, invoiceId: string) =>
        insertRow(db.$client, 'ledger', {
          account_id: accountId,
          provider_txn_id: `x${at}`,
          attempt_id: attemptId,
          invoice_id: invoiceId,
          kind,
          amount_cents: kind === 'payment' ? 100 : -100,
          currency: 'USD',
          at,
        });
      const actions: Record<string, () => Promise<unknown>> = {
        'copies a customer': () =>
          saveRecords({
            contacts: [
              {
                id: pick(CUSTOMERS),
                firstName: `N${at}`,
                lastName: '',
                email: '',
                phone: '',
                company: '',
                ...EMPTY_ADDRESS,
                companyId: '',
                modifiedAt: at,
              },
            ],
          }),
        // The customer of an invoice may change, as after a merge of two customers.
        'copies an invoice': () =>
          saveRecords({
            invoices: [
              {
                id: pickInvoiceId(),
                number: '',
                status: pick(['open', 'open', 'paid', 'draft']),
                currency: pick(['USD', 'USD', 'USD', 'EUR']),
                balanceCents: pick([null, 0, 50, 700]),
                billedCents: 1,
                dueDate: pick(DAYS),
                invoiceDate: null,
                paidAt: null,
                createdAt: 0,
                modifiedAt: at,
                contactId: pick([...CUSTOMERS, '']),
                companyId: '',
                recipient: EMPTY_ADDRESS,
                otherContactIds: [],
              },
            ],
          }),
        'finds that a customer was deleted': () => saveRecords({ gone: { kind: 'contacts', ids: [pick(CUSTOMERS)] } }),
        'finds that an invoice was deleted': () => saveRecords({ gone: { kind: 'invoices', ids: [pickInvoiceId()] } }),
        'deletes a customer': () =>
          run('DELETE FROM contacts WHERE account_id = ? AND contact_id = ?', pick(CUSTOMERS)),
        'deletes an invoice': () =>
          run(
            `DELETE FROM invoices WHERE account_id = ?1 AND invoice_id = ?2
            AND NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE a.account_id = ?1 AND a.invoice_id = ?2)`,
            pickInvoiceId(),
          ),
        'changes a local status': () =>
          run(
            'UPDATE invoices SET local_status = ?2 WHERE account_id = ?1 AND invoice_id = ?3',
            pick(['none', 'paid']),
            pickInvoiceId(),
          ),
        'opens an invoice in installments': () =>
          run(
            `INSERT INTO collections (account_id, invoice_id, n, base_cents, min_cents, max_installments, crm_balance_cents, opened_by, opened_at)
            SELECT account_id, invoice_id, collection, ?2, 10, 4, 700, 1, 0 FROM invoices WHERE account_id = ?1 AND invoice_id = ?3
            ON CONFLICT DO NOTHING`,
            pick([300, 700]),
            pickInvoiceId(),
          ),
        'takes an installment': () =>
          run(
            `UPDATE invoices SET collection_paid_cents = min(collection_base_cents, collection_paid_cents + 150)
            WHERE account_id = ?1 AND invoice_id = ?2 AND collection_base_cents IS NOT NULL`,
            pickInvoiceId(),
          ),
        // As in data/installments/collections.ts, including for a collection whose money was refunded.
        'ends a collection in installments': () =>
          run(
            `UPDATE invoices SET collection = collection + 1, local_status = 'none', collection_base_cents = NULL, collection_paid_cents = 0
            WHERE account_id = ?1 AND invoice_id = ?2 AND collection_base_cents IS NOT NULL`,
            pickInvoiceId(),
          ),
        'takes a payment': async () => {
          const invoice = pickInvoiceId();
          await insertRow(db.$client, 'payment_attempts', {
            id: `a${accountId}-${at}`,
            receipt_id: `r${accountId}-${at}`,
            account_id: accountId,
            invoice_id: invoice,
            state: 'voided',
            channel: 'link',
            method: 'card',
          });
          await addEntry('payment', `a${accountId}-${at}`, invoice);
        },
        'returns a payment': async () => {
          const paid = await pickPayment();
          if (paid)
            await addEntry(pick(['void', 'return', 'refund']), String(paid.attempt_id), String(paid.invoice_id));
        },
      };
      for (; at < 150; at++) {
        const [action, run] = pick(Object.entries(actions));
        await run();
        const all = await readAll(account);
        expect(storedSums(all), `${action}, after ${at} actions`).toEqual(expectedSums(all));
      }
    },
  );
});
