import type { StaffRole } from '#shared/contracts/staff/team-values';
import { findMerchantInvoice, type MerchantInvoiceRows } from '#worker/data/invoices/merchant-invoice';
import type { Deps } from '#worker/deps';
import { withCrm } from '#worker/domain/crm-sync/access';
import type { Merchant } from '#worker/domain/merchants/session';
import { CrmError, type CrmInvoice } from '#worker/vendors/hubspot/port';
import { recordCrmInvoice } from './freeze-changed-amount.ts';

const CRM_ID = /^\d{1,18}$/;

/** The CRM's record ids are decimal numbers; our pay ids never are. */
export const isCrmId = (id: string): boolean => CRM_ID.test(id);

const PAY_ID = /^[\w-]{20,64}$/;

/** `invoiceId` is the CRM's id, even if a pay id was requested; `role` is the caller's. */
export type MerchantInvoice = MerchantInvoiceRows & { invoiceId: string; role: StaffRole };

/**
 * A merchant's own invoice, by the CRM's id or one of its pay ids. Null if the id is neither. Only the CRM knows about
 * invoices that are not synced.
 */
export async function loadMerchantInvoice(deps: Deps, merchant: Merchant, id: string): Promise<MerchantInvoice | null> {
  if (!isCrmId(id) && !PAY_ID.test(id)) return null;
  const rows = await findMerchantInvoice(deps.db, merchant, id);
  if (rows.invoice) return { ...rows, role: merchant.role, invoiceId: rows.invoice.invoiceId };
  return isCrmId(id) ? { ...rows, role: merchant.role, invoiceId: id } : null;
}

const NO_ADDRESS = { address: '', city: '', state: '', zip: '' };

/**
 * The stored copy of an invoice in the CRM's form, without the contact's address. Once the CRM has deleted the invoice
 * and its copy has lost the email address, the email address is that of the payment's receipt (`receiptTo`).
 */
export const storedInvoice = (row: NonNullable<MerchantInvoice['invoice']>, receiptTo = '') => ({
  ...row,
  id: row.invoiceId,
  contact: {
    firstName: row.contactFirstName,
    lastName: row.contactLastName,
    email: row.contactEmail || (row.deletedAt === null ? '' : receiptTo),
  },
  contactAddress: NO_ADDRESS,
  company: {
    name: row.companyName,
    address: row.companyAddress,
    city: row.companyCity,
    state: row.companyState,
    zip: row.companyZip,
  },
});

/**
 * Reads the invoice from the CRM and saves it, without its lines. Null if the CRM does not have it. Throws CrmError.
 */
export async function readMerchantInvoice(
  deps: Deps,
  { accountId }: Merchant,
  loaded: MerchantInvoice,
  options?: { lines: boolean },
): Promise<CrmInvoice | null> {
  if (!loaded.tokens) throw new CrmError('revoked', 'no connection to the CRM');
  const invoice = await withCrm(deps, loaded.tokens, (token, timeZone) =>
    deps.crm.getInvoice(token, loaded.invoiceId, { timeZone, ...options }),
  );
  if (!invoice) return null;
  const { lines: _, ...crmInvoice } = invoice;
  await recordCrmInvoice(deps, accountId, { storedInvoice: loaded.invoice, crmInvoice, readAt: deps.now() });
  return invoice;
}
