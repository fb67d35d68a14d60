import * as z from 'zod/mini';
import { requestId } from './request-id.ts';

/** POST /api/invoices/{id}/itemised-receipt. */
export const ItemisedReceiptBody = z.strictObject({ requestId });
export type ItemisedReceiptBody = z.input<typeof ItemisedReceiptBody>;
