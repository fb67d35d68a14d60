import * as z from 'zod/mini';
import type { Language } from '#shared/words/language';
import type { BillLine } from '../payments/payment-answers.ts';

/** GET and PUT /api/bill-lines: whether payers of the account see what is on their bill. */
export const BillLinesSetting = z.object({ is_on: z.boolean() });
export type BillLinesSetting = z.infer<typeof BillLinesSetting>;

/** The lines of a bill and its sums, so that it adds up: `total` less `paidBefore` was asked for. */
export type BillLines = {
  count: number;
  /** The billed amount. */
  total: string | null;
  /** The first of `count`. */
  items: BillLine[];
  /** Paid already, by the CRM. */
  paidBefore?: string;
};

/** PUT /api/bill-lines. */
export const BillLinesBody = z.strictObject({ is_on: z.boolean() });
export type BillLinesBody = z.input<typeof BillLinesBody>;

// Written out: a module that staff's screens and the pay page share would be a file more for payers to load.
const names = ['en', 'es'] as const satisfies readonly Language[];

/** GET and PUT /api/payer-language: the language of an account's payers where nothing of their own tells one. */
export const PayerLanguageSetting = z.object({ language: z.enum(names) });
export type PayerLanguageSetting = z.infer<typeof PayerLanguageSetting>;

/** When a person of the staff gets a mail about pay links that were paid. */
export const noticeChoices = ['never', 'at-once', 'daily'] as const;
export type NoticeChoice = (typeof noticeChoices)[number];

/** PUT /api/payment-notices: one's own choice. */
export const PaymentNoticesBody = z.strictObject({ how: z.enum(noticeChoices) });
export type PaymentNoticesBody = z.input<typeof PaymentNoticesBody>;

/** GET and PUT /api/payment-notices. `to`: the person's own address; empty: none is known. */
export const PaymentNotices = z.object({ how: z.enum(noticeChoices), to: z.string() });
export type PaymentNotices = z.infer<typeof PaymentNotices>;

/**
 * GET of /api/support-view, and the answer to POST (lets the operator look) and DELETE (ends that). `ends_at`: an ISO 8601
 * instant, until when; null: the operator may not look.
 */
export const SupportViewReply = z.object({
  ends_at: z.nullable(z.string()),
  /** Whether this person may grant and end it. */
  may_change: z.boolean(),
  /** Whether it is the operator who asks. */
  is_support: z.boolean(),
});
export type SupportViewReply = z.infer<typeof SupportViewReply>;
