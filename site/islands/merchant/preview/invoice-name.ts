import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';

/** Returns the invoice's number, or "Invoice" with its id if it has no number yet. */
export const nameOf = ({ id, properties }: InvoicePreviewReply): string => properties.hs_number || `Invoice ${id}`;
