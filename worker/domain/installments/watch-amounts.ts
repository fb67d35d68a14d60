import { findTokens } from '#worker/data/crm-sync/tokens';
import { listSuspectedCollections } from '#worker/data/installments/collections';
import { findInvoice } from '#worker/data/invoices/invoices';
import type { Deps } from '#worker/deps';
import { callCrm, withCrm } from '#worker/domain/crm-sync/access';
import { recordCrmInvoice } from '#worker/domain/invoices/freeze-changed-amount';

/** The maximum number of invoices per run, since each takes a call to the CRM. The others follow with the next sync. */
const MAX_PER_RUN = 10;
/** Invoices read longer ago than this (ms) were checked when they were read, and are read again within a day. */
const RECENT_MS = 3_600_000;

/**
 * For a clinic's schedule, after the sync: freezes invoices in parts whose amount has changed in the CRM, before a
 * payer pays. While the CRM does not answer, they are not checked; each payment also compares the amount itself.
 */
export async function watchAmounts(deps: Deps): Promise<void> {
  const { db, now } = deps;
  for (const { accountId, invoiceId } of await listSuspectedCollections(
    db,
    { readAfter: now() - RECENT_MS, now: now() },
    MAX_PER_RUN,
  )) {
    // Read for each invoice, since another call may have renewed the token.
    const [tokens, storedInvoice] = [await findTokens(db, accountId), await findInvoice(db, accountId, invoiceId)];
    if (!tokens) continue;
    const readAt = now();
    const crmInvoice = await callCrm(deps, accountId, () =>
      withCrm(deps, tokens, (token, timeZone) => deps.crm.getInvoice(token, invoiceId, { timeZone })),
    );
    if (crmInvoice === 'crm-unavailable') return;
    if (crmInvoice) await recordCrmInvoice(deps, accountId, { storedInvoice, crmInvoice, readAt });
  }
}
