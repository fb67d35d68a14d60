import type { PaymentStatus } from '#shared/contracts/payments/payment-answers';
import { OpenedBody } from '#shared/contracts/payments/payment-request';
import { recordPageView } from '#worker/data/pay-links/pay-links';
import { loadPayable, type Payable } from '#worker/data/payments/load-payable';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { keepsInvoiceClosed } from '#worker/domain/payments/attempts';
import { isInquiryDue } from './freshness.ts';
import { findLatestAttempt, paymentStatus } from './view-payable.ts';

/**
 * The status of the newest payment for a link's invoice, for a page that waits. Null if there is no such link.
 * `attemptKey`: the key of the page's own submission, so that an earlier installment is not reported instead. Only the
 * form that paid gets the receipt's address, and other forms get no card data.
 */
export async function viewPayment(
  deps: Deps,
  payId: string,
  attemptKey?: string,
): Promise<{ status: PaymentStatus; dueCheck: Attempt | null } | null> {
  const { payable: storedPayable, attempts } = await loadPayable(deps.db, payId);
  if (!storedPayable) return null;
  const { invoice } = storedPayable;
  const isPart = invoice.partBaseCents !== null && attemptKey !== undefined;
  const latestAttempt = isPart ? ownAttempt(attempts, invoice, attemptKey) : findLatestAttempt(attempts, invoice);
  return {
    status: statusFor(latestAttempt, attemptKey),
    dueCheck: isInquiryDue(latestAttempt, deps.now()) ? latestAttempt : null,
  };
}

function statusFor(latestAttempt: Attempt | undefined, attemptKey: string | undefined): PaymentStatus {
  const { receiptUrl, transaction, ...rest } = paymentStatus(latestAttempt);
  const isOwn = (latestAttempt?.attemptKey ?? undefined) === attemptKey;
  const isFromAnotherForm = attemptKey !== undefined && !isOwn;
  return {
    ...rest,
    ...(transaction && !isFromAnotherForm && { transaction }),
    ...(receiptUrl && isOwn && { receiptUrl }),
  };
}

const ownAttempt = (attempts: Attempt[], invoice: Payable['invoice'], attemptKey: string): Attempt | undefined =>
  attempts.find((attempt) => attempt.attemptKey === attemptKey) ??
  attempts.find((attempt) => keepsInvoiceClosed(attempt, invoice));

/** Records that a pay page was opened. `staff`: the staff session of the browser, if any. */
export async function recordPageOpening(
  { db, now }: Deps,
  payId: string,
  body: unknown,
  staff: { accountId: number } | null,
): Promise<'noted' | 'invalid'> {
  const { data } = OpenedBody.safeParse(body);
  if (!data) return 'invalid';
  await recordPageView(db, { payId, loadId: data.load, exceptAccountId: staff?.accountId ?? null }, now());
  return 'noted';
}
