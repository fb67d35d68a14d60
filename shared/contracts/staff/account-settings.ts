import * as z from 'zod/mini';
import type { Language } from '#shared/words/language';
import type { BillLine } from '../payments/payment-answers.ts';

/**
 * GET and PUT of an on/off setting: /api/bill-lines (payers see line items), /api/bank-payments (payers may use a bank
 * account).
 */
export const SwitchSetting = z.object({ is_on: z.boolean() });
export type SwitchSetting = z.infer<typeof SwitchSetting>;

/**
 * GET and PUT /api/apple-pay: payers may pay with Apple Pay. Pay pages offer it once the card provider has registered
 * `host`, the host of the pay pages. `refusal`: the provider's reason for its last refusal; empty without one.
 */
export const ApplePaySetting = z.object({
  is_on: z.boolean(),
  host: z.string(),
  is_registered: z.boolean(),
  refusal: z.string(),
});
export type ApplePaySetting = z.infer<typeof ApplePaySetting>;

/** The lines and sums of a bill: `total` less `paidBefore` is the amount due. */
export type BillLines = {
  count: number;
  /** The billed amount. */
  total: string | null;
  /** The first lines, of `count` in total. */
  items: BillLine[];
  /** Amount already paid, according to the CRM. */
  paidBefore?: string;
};

/** PUT /api/bill-lines, /api/bank-payments, /api/apple-pay and /api/google-pay. */
export const SwitchBody = z.strictObject({ is_on: z.boolean() });
export type SwitchBody = z.input<typeof SwitchBody>;

// Not in words/language.ts: a module shared by staff screens and the pay page would be an extra file for payers to load.
/** Names of the payer languages in English, the language of the staff's app. */
export const payerLanguageNames: Record<Language, string> = { en: 'English', es: 'Spanish' };
export const payerLanguages = Object.keys(payerLanguageNames) as Language[];

/** GET and PUT /api/payer-language: the default language of an account's payers. */
export const PayerLanguageSetting = z.object({ language: z.enum(payerLanguages) });
export type PayerLanguageSetting = z.infer<typeof PayerLanguageSetting>;

/** When a staff member gets emails about paid pay links. */
export const noticeChoices = ['never', 'at-once', 'daily'] as const;
export type NoticeChoice = (typeof noticeChoices)[number];

/** PUT /api/payment-notices: the caller's own choice. */
export const PaymentNoticesBody = z.strictObject({ how: z.enum(noticeChoices) });
export type PaymentNoticesBody = z.input<typeof PaymentNoticesBody>;

/** GET and PUT /api/payment-notices. `to`: the caller's address; empty if unknown. */
export const PaymentNotices = z.object({ how: z.enum(noticeChoices), to: z.string() });
export type PaymentNotices = z.infer<typeof PaymentNotices>;

/**
 * GET /api/support-view, and the response to POST (grants the operator read access) and DELETE (revokes it). `ends_at`:
 * end of the access (ISO 8601), or null without access.
 */
export const SupportViewReply = z.object({
  ends_at: z.nullable(z.string()),
  /** True if the caller may grant and revoke it. */
  may_change: z.boolean(),
  /** True if the caller is the operator. */
  is_support: z.boolean(),
});
export type SupportViewReply = z.infer<typeof SupportViewReply>;
