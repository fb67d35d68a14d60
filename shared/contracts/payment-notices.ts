import * as z from 'zod/mini';
import { noticeChoices } from './payment-notices-request.ts';

/** GET and PUT /api/payment-notices. `to`: the person's own address; empty: none is known. */
export const PaymentNotices = z.object({ how: z.enum(noticeChoices), to: z.string() });
export type PaymentNotices = z.infer<typeof PaymentNotices>;
