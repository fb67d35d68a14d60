import type { InvoiceLife } from '#shared/contracts/invoice-life';
import type { InvoicePreviewReply } from '#shared/contracts/preview';
import { type InvoiceLifeRows, readInvoiceLife } from '#worker/data/invoices/life';
import { LIVE } from '#worker/data/payments/attempts';
import type { Deps } from '#worker/deps';
import { askCrm, withCrm } from '#worker/domain/crm-sync/access';
import { loadMerchantInvoice, type MerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import { noteAmount } from '#worker/domain/invoices/note-amount';
import type { Merchant } from '#worker/domain/merchants/session';
import { toldCents } from '#worker/domain/write-back/record-in-crm';
import { CrmError } from '#worker/vendors/hubspot/port';
import { presentLife } from './life.ts';
import { invoicePreview } from './present.ts';

export type InvoiceView =
  | { kind: 'preview'; preview: InvoicePreviewReply; asOf: string; isStale: boolean }
  | { kind: 'not-found' }
  | { kind: 'crm-unavailable' };

/**
 * A merchant's own invoice as it is printed: the CRM's present record with our own facts over it. While the CRM does
 * not answer, or has it no more though money was taken for it, it is the stored invoice, which has no lines.
 */
export async function viewInvoice(deps: Deps, merchant: Merchant, id: string): Promise<InvoiceView> {
  const own = await loadMerchantInvoice(deps, merchant, id);
  if (!own) return { kind: 'not-found' };
  const [life, fresh] = await Promise.all([
    readInvoiceLife(deps.db, merchant.accountId, own.invoiceId),
    askCrm(deps, merchant.accountId, () => readFresh(deps, merchant, own)),
  ]);
  if (fresh === 'not-found' && !hasMoney(own)) return { kind: 'not-found' };
  const look = { own, life: presentLife(own, life), paid: life.paid };
  if (typeof fresh === 'string') return viewCopy(deps, look, fresh === 'not-found' ? 'deleted' : 'stale');
  return shown(deps, look, fresh.sheet, fresh.readAt, 'fresh');
}

async function readFresh(deps: Deps, { accountId }: Merchant, own: MerchantInvoice) {
  if (!own.tokens) throw new CrmError('revoked', 'no connection to the CRM');
  const sheet = await withCrm(deps, own.tokens, (token) => deps.crm.getInvoiceSheet(token, own.invoiceId));
  if (!sheet) return 'not-found';
  const readAt = deps.now();
  await noteAmount(deps, accountId, { kept: own.invoice, fresh: sheet.invoice, readAt });
  return { sheet, readAt };
}

/** Whatever becomes of the invoice in the CRM, staff can see money that was taken for it, or may have been, and give it back. */
const hasMoney = ({ payments, attempts }: MerchantInvoice): boolean =>
  payments.length > 0 || attempts.some(({ state }) => LIVE.includes(state));

type Look = { own: MerchantInvoice; life: InvoiceLife; paid: InvoiceLifeRows['paid'] };

/** As the CRM shows it now, or from the stored copy: the CRM does not answer, or has deleted the invoice. */
type Source = 'fresh' | 'stale' | 'deleted';

function viewCopy(deps: Deps, look: Look, source: Source): InvoiceView {
  const { invoice: row } = look.own;
  if (!row || (row.deletedAt !== null && !hasMoney(look.own))) return { kind: 'crm-unavailable' };
  const invoice = {
    ...row,
    id: row.invoiceId,
    contact: { firstName: row.contactFirstName, lastName: row.contactLastName, email: row.contactEmail },
    // No copy of it is kept.
    contactAddress: { address: '', city: '', state: '', zip: '' },
    company: {
      name: row.companyName,
      address: row.companyAddress,
      city: row.companyCity,
      state: row.companyState,
      zip: row.companyZip,
    },
  };
  return shown(deps, look, { invoice }, row.readAt, source);
}

const shown = (
  { settings, now }: Deps,
  { own, life, paid }: Look,
  sheet: Parameters<typeof invoicePreview>[1],
  readAt: number,
  source: Source,
): InvoiceView => ({
  kind: 'preview',
  preview: {
    ...invoicePreview(own, sheet, { appUrl: settings.APP_URL, now: now(), told: toldOf(paid) }),
    is_deleted_in_crm: source === 'deleted',
    life,
  },
  asOf: new Date(readAt).toISOString(),
  isStale: source === 'stale',
});

/** What the CRM's balance has of each payment (cents), by the payment's id. */
const toldOf = (paid: InvoiceLifeRows['paid']): ReadonlyMap<string, number> =>
  new Map(paid.map((row) => [String(row.attempt_id), toldCents(row)]));
