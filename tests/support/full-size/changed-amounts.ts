import { hubs } from '#sandbox/credentials';
import type { Deps } from '#worker/deps';

const accountId = hubs[0].hubId;

/** Puts the invoices into installments with amounts that differ from those of `changedCrm`. */
export async function changeAmounts({ db, now }: Deps, invoiceIds: string[]): Promise<void> {
  const d1 = db.$client;
  for (const id of invoiceIds) {
    await d1
      .prepare(
        "UPDATE invoices SET local_status = 'none', collection = 9, read_at = ?3 WHERE account_id = ?1 AND invoice_id = ?2",
      )
      .bind(accountId, id, now())
      .run();
    await d1
      .prepare(
        'INSERT INTO collections (account_id, invoice_id, n, base_cents, min_cents, max_installments, crm_balance_cents, opened_by, opened_at) VALUES (?1, ?2, 9, 1, 1, 12, 1, 1, 0)',
      )
      .bind(accountId, id)
      .run();
  }
}

/** A CRM that reports changed amounts for every invoice. */
export const changedCrm = ({ crm, now }: Deps): Deps['crm'] => ({
  ...crm,
  getInvoice: async (token, id) => {
    await crm.getInvoice(token, id, { timeZone: 'UTC' });
    const noAddress = { address: '', city: '', state: '', zip: '' };
    return {
      id,
      number: id,
      status: 'open',
      currency: 'USD',
      balanceCents: 2,
      billedCents: 2,
      dueDate: null,
      invoiceDate: null,
      paidAt: null,
      createdAt: 0,
      modifiedAt: now(),
      contactId: '',
      companyId: '',
      contact: { firstName: '', lastName: '', email: '' },
      contactAddress: noAddress,
      contactLanguage: '',
      company: { name: '', ...noAddress },
    };
  },
});
