import * as z from 'zod/mini';
import type { ListRules } from '../lists/list-request.ts';
import { listedPaymentStatuses } from './payment-list-values.ts';

/**
 * GET /api/payments?day=YYYY-MM-DD..YYYY-MM-DD: payments, refunds and returns by the local day of each, newest first.
 * The last 30 days by default, at most `longestPeriod` days.
 */
export const paymentRules: ListRules = {
  sorts: ['at'],
  order: '-at',
  statusField: 'status',
  statuses: listedPaymentStatuses,
  ranges: { day: 'day' },
  hasContact: false,
  hasOpen: false,
};

const Sum = z.object({ count: z.number(), amount: z.string() });

export const ListedPayment = z.object({
  /** Of the card provider's transaction; empty for a payment on its way that the provider has not named. */
  id: z.string(),
  /** Of the payment that was taken, or that this gives back. */
  payment_id: z.string(),
  status: z.enum(listedPaymentStatuses),
  /** Negative for money that went back. */
  amount: z.string(),
  currency: z.string(),
  /**
   * The part of `amount` in the totals: zero for a voided payment, which was never charged, and for a bank payment on its
   * way or returned before it arrived.
   */
  counted: z.string(),
  at: z.string(),
  /** The local day in whose figures it counts, YYYY-MM-DD. */
  day: z.string(),
  invoice: z.object({ id: z.string(), number: z.string() }),
  /** `id`: empty if the CRM links no customer. */
  customer: z.object({ id: z.string(), name: z.string() }),
  /** The name that the payer entered; empty at the counter. */
  payer: z.string(),
  method: z.enum(['card', 'ach']),
  /** "Visa 1111"; empty if unknown. */
  card: z.string(),
  /** The name of the card reader; empty for a payment by link. */
  terminal: z.string(),
  terminal_id: z.string(),
  /** The person who took it at the counter, or who gave it back; empty if nobody of the staff did. */
  by: z.string(),
  /** Empty while the card provider has not named it. */
  batch_id: z.string(),
  /** True if staff may still void or refund it, as far as our records tell. */
  can_go_back: z.boolean(),
  /** The reversal of it that waits for a second person, if there is one. */
  waiting: z.nullable(z.enum(['void', 'refund'])),
});
export type ListedPayment = z.infer<typeof ListedPayment>;

export const PaymentListReply = z.object({
  payments: z.array(ListedPayment),
  /** First and last day. */
  period: z.object({ from: z.string(), to: z.string() }),
  /**
   * Of all rows that match, by the rule of the daily figures. `voided` (payments), `returned` (bank payments, before they
   * arrived) and `corrections` (corrected refunds) count the rows that are neither payments nor refunds, so that all
   * counts add up to the rows.
   */
  totals: z.object({
    payments: Sum,
    voided: z.number(),
    returned: z.number(),
    refunds: Sum,
    corrections: z.number(),
    net: z.string(),
    /** Bank payments on their way: rows, but in no other sum until the bank pays. */
    on_its_way: Sum,
  }),
  /** Payments of these days whose outcome is not known; they are in no row and no sum. */
  unknown: Sum,
});
export type PaymentListReply = z.infer<typeof PaymentListReply>;
