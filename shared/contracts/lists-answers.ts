import * as z from 'zod/mini';
import { ApiError } from './error.ts';
import { CustomerItem } from './lists.ts';

/** What pages know by type alone: here, since a page keeps each schema of a file that it reads. */

/** Its error keeps the CRM's envelope beside our own. */
export const CustomersError = z.extend(ApiError, {
  status: z.literal('error'),
  data: z.object({ message: z.string() }),
});
export type CustomersError = z.infer<typeof CustomersError>;

/** GET /api/invoices/getCustomer/{invoice id}: the customers of an invoice. */
export const InvoiceCustomerReply = z.object({ results: z.array(CustomerItem) });
export type InvoiceCustomerReply = z.infer<typeof InvoiceCustomerReply>;
