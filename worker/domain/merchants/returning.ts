import { ONLINE_CURRENCY } from '#shared/money';
import type { NewAccount } from '#worker/data/merchants/accounts';
import type { ExportRow } from '#worker/data/operate/export';
import { addKept, erasedClinics, keptRows } from '#worker/data/operate/returning';
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
    for await (const piece of rows())
      if (piece.table === 'ledger') for (const { attempt_id } of piece.rows) booked.add(attempt_id);
    if (booked.size === 0) continue;
    const unnamed = { hub_id: accountId, name: '', domain, time_zone: timeZone, connected_at: deps.now() };
    await addKept(deps.db, 'hubs', [unnamed]);
    for await (const { table, rows: kept } of rows()) {
      if (table === 'collections') await addKept(deps.db, 'invoices', kept.map(notCopied(deps)));
      await addKept(deps.db, table, kept.filter((row) => mayReturn(table, row, booked)).map(fill(deps, table)));
    }
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

/** A collection points to its invoice, of which the copy of the CRM has yet to say more; until then it counts as gone. */
const notCopied =
  ({ now }: Deps) =>
  ({ hub_id = null, invoice_id = null }: ExportRow): ExportRow => ({
    ...{ hub_id, invoice_id, number: '', status: 'open', currency: ONLINE_CURRENCY, read_at: 0, gone_at: now() },
  });
