import type { PaymentStatus } from '#shared/contracts/payments/payment-answers';
import { OpenedBody } from '#shared/contracts/payments/payment-request';
import { noteOpening } from '#worker/data/pay-links/pay-links';
import { loadPayable, type Payable } from '#worker/data/payments/load-payable';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { isClosing } from '#worker/domain/payments/attempts';
import { isDue } from './freshness.ts';
import { latestOf, paymentStatus } from './view-payable.ts';

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
  const { payable: found, attempts } = await loadPayable(deps.db, payId);
  if (!found) return null;
  const { invoice } = found;
  const isPart = invoice.partBaseCents !== null && attemptKey !== undefined;
  const latest = isPart ? ownAttempt(attempts, invoice, attemptKey) : latestOf(attempts, invoice);
  return { status: statusFor(latest, attemptKey), dueCheck: isDue(latest, deps.now()) ? latest : null };
}

function statusFor(latest: Attempt | undefined, attemptKey: string | undefined): PaymentStatus {
  const { receiptUrl, transaction, ...rest } = paymentStatus(latest);
  const isOwn = (latest?.attemptKey ?? undefined) === attemptKey;
  const isFromAnotherForm = attemptKey !== undefined && !isOwn;
  return {
    ...rest,
    ...(transaction && !isFromAnotherForm && { transaction }),
    ...(receiptUrl && isOwn && { receiptUrl }),
  };
}

const ownAttempt = (attempts: Attempt[], invoice: Payable['invoice'], attemptKey: string): Attempt | undefined =>
  attempts.find((attempt) => attempt.attemptKey === attemptKey) ??
  attempts.find((attempt) => isClosing(attempt, invoice));

/** Records that a pay page was opened. `staff`: the staff session of the browser, if any. */
export async function noteOpened(
  { db, now }: Deps,
  payId: string,
  body: unknown,
  staff: { accountId: number } | null,
): Promise<'noted' | 'invalid'> {
  const { data } = OpenedBody.safeParse(body);
  if (!data) return 'invalid';
  await noteOpening(db, { payId, loadId: data.load, except: staff?.accountId ?? null }, now());
  return 'noted';
}
