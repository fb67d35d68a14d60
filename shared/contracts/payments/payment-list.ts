import * as z from 'zod/mini';
import type { ListRules } from '../lists/list-request.ts';
import { listedPaymentStatuses } from './payment-list-values.ts';
import { wallets } from './wallet-values.ts';

/**
 * GET /api/payments?day=YYYY-MM-DD..YYYY-MM-DD: payments, refunds and returns by the local day of each, newest first.
 * The last 30 days by default, at most `maxPeriodDays` days. `terminal`: only the payments of a card reader, or
 * `online`.
 */
export const paymentRules = {
  sorts: ['at'],
  defaultSort: '-at',
  statusField: 'status',
  statuses: listedPaymentStatuses,
  ranges: { day: 'day' },
  hasContact: false,
  hasOpen: false,
  hasTerminal: true,
} as const satisfies ListRules;
export type PaymentSort = (typeof paymentRules.sorts)[number];

const Sum = z.object({ count: z.number(), amount: z.string() });

export const ListedPayment = z.object({
  /** The card provider's transaction id; empty for a payment on its way that has none yet. */
  id: z.string(),
  /** The id of the payment itself, or of the payment that this row reverses. */
  payment_id: z.string(),
  status: z.enum(listedPaymentStatuses),
  /** Negative for refunds and returns. */
  amount: z.string(),
  currency: z.string(),
  /**
   * The part of `amount` in the totals: zero for a voided payment, which was never charged, and for a bank payment on
   * its way or returned before it arrived.
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
  /** The digital wallet that held the card; empty without one. */
  wallet: z.enum(['', ...wallets]),
  /** "Visa 1111"; empty if unknown. */
  card: z.string(),
  /** The name of the card reader; empty for a payment by link. */
  terminal: z.string(),
  terminal_id: z.string(),
  /** The staff member who took it at the counter or reversed it; empty if no staff member did. */
  by: z.string(),
  /** Empty until the card provider reports it. */
  batch_id: z.string(),
  /** True if staff may still void or refund it, according to our records. */
  can_go_back: z.boolean(),
  /** Its reversal that awaits approval by a second person, or null. */
  waiting: z.nullable(z.enum(['void', 'refund'])),
});
export type ListedPayment = z.infer<typeof ListedPayment>;

export const PaymentListReply = z.object({
  payments: z.array(ListedPayment),
  /** First and last day. */
  period: z.object({ from: z.string(), to: z.string() }),
  /**
   * Totals of all matching rows, counted as in the daily figures. `voided` (payments), `returned` (bank payments,
   * before they arrived) and `corrections` (corrected refunds) count the rows that are neither payments nor refunds, so
   * that all counts add up to the rows.
   */
  totals: z.object({
    payments: Sum,
    voided: z.number(),
    returned: z.number(),
    refunds: Sum,
    corrections: z.number(),
    net: z.string(),
    /** Bank payments on their way. They are rows, but no other sum includes them until they arrive. */
    on_its_way: Sum,
  }),
  /** Payments of these days, at the same card reader, whose outcome is not known; they are in no row and no sum. */
  unknown: Sum,
});
export type PaymentListReply = z.infer<typeof PaymentListReply>;
