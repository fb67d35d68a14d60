import * as z from 'zod/mini';
import { Email } from '../person-request.ts';

/** Request bodies for emails to customers, validated in the Worker. */

/**
 * POST /api/invoices/{CRM id or pay id}/emails: the payment link or the receipt, to an address entered by a manager.
 */
export const MailElsewhereBody = z.strictObject({ kind: z.enum(['pay-link', 'receipt']), to: Email });
export type MailElsewhereBody = z.input<typeof MailElsewhereBody>;
