import { linesReadAt, withCrmData } from '#worker/data/invoices/invoices';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Attempt, AttemptState } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { callCrm } from '#worker/domain/crm-sync/access';
import { recordCrmInvoice } from '#worker/domain/invoices/freeze-changed-amount';
import { ABANDONED_CALL_MS } from '#worker/domain/payments/inquire-status';
import { readInvoiceFromCrm } from '#worker/domain/payments/price';
import { causeOf } from '#worker/log';

/** While a page waits, its payment is looked up at intervals of a tenth of its age, within these bounds (ms). */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5_000, 60_000];
/**
 * A page that has waited longer than this (ms) may be abandoned: from then on only the schedule looks up its payment.
 */
const MAX_WAIT_MS = 3_600_000;

const OPEN_STATES: AttemptState[] = ['sent', 'unknown', 'pending', 'needs_human'];

/**
 * True if a payer's page may look up this payment now. Each lookup is claimed in the row, so the gateway is called at
 * most once per interval, even if many pages poll. `nextCheckAt` null: lookups have ended.
 */
export function isInquiryDue(attempt: Attempt | undefined, now: number): attempt is Attempt {
  if (!attempt || !OPEN_STATES.includes(attempt.state) || attempt.nextCheckAt === null) return false;
  return attempt.nextCheckAt <= now || (isPageWaiting(attempt, now) && now >= nextCheckTime(attempt, now));
}

const isPageWaiting = ({ state, channel, createdAt }: Attempt, now: number): boolean =>
  // A bank payment takes days, and a sale at a counter terminal is polled by its own screen.
  state !== 'pending' && channel === 'link' && now - createdAt <= MAX_WAIT_MS;

function nextCheckTime({ state, createdAt, checkedAt }: Attempt, now: number): number {
  if (state === 'sent' && checkedAt === null) return createdAt + ABANDONED_CALL_MS;
  const pause = Math.min(Math.max((now - createdAt) / 10, MIN_PAUSE_MS), MAX_PAUSE_MS);
  return (checkedAt ?? createdAt) + pause;
}

export type Details = { payable: Payable; isStale: boolean } | 'gone';

/** The details to show: the stored invoice while it is fresh, otherwise the CRM's, otherwise the stale stored one. */
export async function readDetails(deps: Deps, payable: Payable): Promise<Details> {
  const { log, now, settings } = deps;
  const { invoice, account } = payable;
  // The CRM sync does not read line items, so their own age counts.
  const copiedAt = account.showsLines ? linesReadAt(invoice.billLines) : invoice.readAt;
  if (now() - copiedAt <= settings.SNAPSHOT_MS) return { payable, isStale: false };
  const { accountId } = payable.link;
  const crmInvoice = await callCrm(deps, accountId, () => readInvoiceFromCrm(deps, payable));
  if (crmInvoice === 'crm-unavailable') return { payable, isStale: true };
  if (!crmInvoice) return 'gone';
  const readAt = now();
  // The page shows the CRM's answer even if the copy cannot be saved.
  await recordCrmInvoice(deps, accountId, { storedInvoice: invoice, crmInvoice, readAt }).catch((cause: unknown) =>
    log.info('invoice-not-saved', { accountId, cause: causeOf(cause) }),
  );
  return { payable: { ...payable, invoice: withCrmData(payable.invoice, crmInvoice, readAt) }, isStale: false };
}
