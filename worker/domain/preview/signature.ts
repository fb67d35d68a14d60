import {
  deleteSignature,
  getSignature,
  invoiceSignatureKey,
  putSignature,
  removeInvoiceSignature,
  setInvoiceSignature,
} from '#worker/data/preview/signatures';
import type { Deps } from '#worker/deps';
import { type AuditDeps, auditEvent } from '#worker/domain/audit/event';
import { callCrm } from '#worker/domain/crm-sync/access';
import { loadMerchantInvoice, readMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';
import { readSignature, SignatureError } from '#worker/files/signature';

export type SaveSignatureOutcome =
  | { kind: 'kept'; at: number }
  | { kind: 'bad-signature'; message: string }
  | { kind: 'not-found' }
  | { kind: 'crm-unavailable' };

/** Saves a signature with a merchant's invoice; it replaces any earlier one. */
export async function saveSignature(
  deps: Deps,
  merchant: Merchant,
  id: string,
  dataUrl: string,
): Promise<SaveSignatureOutcome> {
  let png: Uint8Array<ArrayBuffer>;
  try {
    png = await readSignature(dataUrl);
  } catch (cause) {
    if (!(cause instanceof SignatureError)) throw cause;
    return { kind: 'bad-signature', message: cause.isBlank ? 'Please sign before saving.' : cause.message };
  }
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  if (!loaded) return { kind: 'not-found' };
  const invoice =
    loaded.invoice ?? (await callCrm(deps, merchant.accountId, () => readMerchantInvoice(deps, merchant, loaded)));
  if (invoice === 'crm-unavailable') return { kind: invoice };
  if (!invoice) return { kind: 'not-found' };
  const { invoiceId } = loaded;
  const { accountId, userId: savedBy } = merchant;
  const imageKey = invoiceSignatureKey(accountId, invoiceId, deps.newId());
  const savedAt = deps.now();
  await putSignature(deps.media, imageKey, png);
  const oldKey = await setInvoiceSignature(
    deps.db,
    { accountId, invoiceId, imageKey, savedAt, savedBy },
    signatureEvent(deps, 'signature.saved', accountId, invoiceId),
  );
  if (oldKey) await deleteSignature(deps.media, oldKey);
  return { kind: 'kept', at: savedAt };
}

/** The signature saved with an invoice, as PNG. Null if there is none, or the invoice is not the merchant's. */
export async function readSavedSignature(deps: Deps, merchant: Merchant, id: string): Promise<ReadableStream | null> {
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  return loaded?.signature ? ((await getSignature(deps.media, loaded.signature.imageKey))?.body ?? null) : null;
}

/** Deletes an invoice's signature, if it has one. False if the merchant has no such invoice. */
export async function dropSignature(deps: Deps, merchant: Merchant, id: string): Promise<boolean> {
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  if (!loaded?.invoice) return false;
  const event = signatureEvent(deps, 'signature.removed', merchant.accountId, loaded.invoiceId);
  const oldKey = await removeInvoiceSignature(deps.db, merchant.accountId, loaded.invoiceId, event);
  if (oldKey) await deleteSignature(deps.media, oldKey);
  return true;
}

const signatureEvent = (
  deps: AuditDeps,
  action: 'signature.saved' | 'signature.removed',
  accountId: number,
  invoiceId: string,
) => auditEvent(deps, { accountId, action, subject: ['invoice', invoiceId] });
