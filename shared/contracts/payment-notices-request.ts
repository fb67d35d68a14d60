import * as z from 'zod/mini';

/** When a person of the staff gets a mail about pay links that were paid. */
export const noticeChoices = ['never', 'at-once', 'daily'] as const;
export type NoticeChoice = (typeof noticeChoices)[number];

/** PUT /api/payment-notices: one's own choice. */
export const PaymentNoticesBody = z.strictObject({ how: z.enum(noticeChoices) });
export type PaymentNoticesBody = z.input<typeof PaymentNoticesBody>;
