import { ONLINE_CURRENCY } from '#shared/money';
import type { NewAccount } from '#worker/data/merchants/accounts';
import type { ExportRow } from '#worker/data/operate/export';
import { addKept, erasedClinics, keptRows, labelInvoices } from '#worker/data/operate/returning';
import type { Deps } from '#worker/deps';

/** What says which invoices were paid: none of it names a person. Each table after those that it refers to. */
const TABLES = ['payment_attempts', 'collections', 'ledger', 'reversals', 'crm_writes'] as const;

/**
 * An account that comes back after its clinic was erased: its invoices may stand open in the CRM although they were paid
 * here. So what was kept of these payments is put into its new clinic before it can charge anything. It can be repeated.
 */
export async function bringBackPayments(deps: Deps, account: NewAccount): Promise<void> {
  const { accountId, domain, timeZone } = account;
  for (const clinic of await erasedClinics(deps.media, accountId)) {
    const rows = () => keptRows(deps.media, `kept/${clinic}/`, TABLES);
    const booked = new Set<unknown>();
    /** Invoices of which something was booked, or that stood in installments. */
    const moved = new Set<unknown>();
    const newest = new Map<unknown, number>();
    for await (const { table, rows: kept } of rows())
      for (const row of kept) {
        if (table === 'ledger') booked.add(row.attempt_id);
        if (table === 'ledger' || table === 'collections') moved.add(row.invoice_id);
        newest.set(row.invoice_id, Math.max(newest.get(row.invoice_id) ?? 1, Number(row.collection ?? row.n ?? 1)));
      }
    if (booked.size === 0) continue;
    const unnamed = { account_id: accountId, name: '', domain, time_zone: timeZone, connected_at: deps.now() };
    await addKept(deps.db, 'accounts', [unnamed]);
    await addKept(deps.db, 'invoices', [...newest].filter(([id]) => moved.has(id)).map(notCopied(deps, accountId)));
    for await (const { table, rows: kept } of rows())
      await addKept(deps.db, table, kept.filter((row) => mayReturn(table, row, booked)).map(fill(deps, table)));
    await labelInvoices(deps.db, accountId);
    deps.log.info('payments-brought-back', { accountId, clinic, payments: booked.size });
  }
}

function mayReturn(table: string, row: ExportRow, booked: Set<unknown>): boolean {
  if (table === 'payment_attempts') return booked.has(row.id);
  if (table === 'collections') return true;
  // What was still to be written into the CRM is not written any more.
  return booked.has(row.attempt_id) && (table !== 'crm_writes' || row.state === 'written');
}

/** Nothing is looked up any more: an erasure waits until nothing can move. A receipt's address is a capability, which no evidence has. */
const fill =
  ({ newCapability }: Deps, table: string) =>
  (row: ExportRow): ExportRow => {
    if (table === 'payment_attempts') return { ...row, receipt_id: newCapability(), next_check_at: null };
    if (table === 'reversals') return { ...row, reason: '', request_key: String(row.id), next_check_at: null };
    return row;
  };

/** An invoice of which the copy of the CRM has yet to say more; until then it counts as gone. */
const notCopied =
  ({ now }: Deps, accountId: number) =>
  ([invoiceId, collection]: [unknown, number]): ExportRow => ({
    ...{
      account_id: accountId,
      invoice_id: String(invoiceId),
      collection,
      number: '',
      status: 'open',
      currency: ONLINE_CURRENCY,
    },
    ...{ read_at: 0, deleted_at: now() },
  });
