import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { NOT_AVAILABLE } from '../common/amount.ts';

type Properties = InvoicePreviewReply['properties'];

/** Returns the invoice's number, or "Invoice" with its id if it has no number yet. */
export const nameOf = ({ id, properties }: InvoicePreviewReply): string => properties.hs_number || `Invoice ${id}`;

/** Returns the clinic's details, with placeholders for the ones that the CRM lacks. */
export const clinicOf = ({ clinic_name, clinic_address, clinic_phone }: Properties) => ({
  name: clinic_name || 'Customer Name',
  address: clinic_address || 'Customer Address',
  phone: clinic_phone || 'Customer Phone',
});

export type BillingCell = { label: string; value: string; isCode?: boolean };

export function billingGrid(properties: Properties): BillingCell[] {
  const { hs_number, hs_invoice_date, hs_createdate, payment_date } = properties;
  const textOrNone = (value: string) => value || NOT_AVAILABLE;
  return [
    { label: 'Bill to', value: textOrNone(properties.customer_name) },
    { label: 'Invoice number', value: textOrNone(hs_number) },
    { label: 'Invoice date', value: formatDay(hs_invoice_date ?? hs_createdate) },
    { label: 'Payment method', value: textOrNone(properties.payment_method) },
    { label: 'Payment date', value: formatDay(payment_date) },
    { label: 'Paid via', value: textOrNone(properties.paid_via) },
    { label: 'Transaction id', value: textOrNone(properties.transaction_id), isCode: properties.transaction_id !== '' },
    { label: 'Receipt id', value: textOrNone(properties.receipt_id), isCode: properties.receipt_id !== '' },
    { label: 'Address', value: textOrNone(properties.customer_address) },
  ];
}
