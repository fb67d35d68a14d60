import type { CrmKind, PrintField } from './port.ts';

/** The fields of records that we read from HubSpot, by HubSpot's own names; their times of creation and change are in records.ts. */

/** Of the records that the CRM sync keeps. */
export const syncedFields: Record<CrmKind, string[]> = {
  companies: ['name', 'address', 'city', 'state', 'zip'],
  contacts: ['firstname', 'lastname', 'email', 'phone', 'mobilephone', 'company', 'address', 'city', 'state', 'zip'],
  invoices: [
    'hs_number',
    'hs_invoice_status',
    'hs_currency',
    'hs_balance_due',
    'hs_amount_billed',
    'hs_due_date',
    'hs_invoice_date',
    'hs_payment_date',
    'hs_recipient_company_address',
    'hs_recipient_company_city',
    'hs_recipient_company_state',
    'hs_recipient_company_zip',
  ],
};

/** Of the contact, when a payment asks for its invoice. */
export const payerFields = ['firstname', 'lastname', 'email', 'address', 'city', 'state', 'zip', 'hs_language'];

/** Custom fields that an account may have, for a printed invoice. HubSpot silently leaves out names that it does not know. */
export const customFields: PrintField[] = [
  'clinic_name',
  'clinic_address',
  'clinic_phone',
  'customer_name',
  'customer_address',
  'payment_method',
  'payment_date',
  'paid_via',
  'transaction_id',
  'receipt_id',
];
/** For a printed invoice: the contact's address, the recipient's address on the invoice itself, and its lines. */
export const billingFields = ['address', 'city', 'state', 'zip'];
export const recipientFields = billingFields.map((part) => `hs_recipient_shipping_${part}`);
/** Whether the account lets payers pay this invoice in parts by the CRM's own link; "true" or "false". */
export const allowsPartsField = 'hs_allow_partial_payments';
/** What the CRM has as paid of an invoice, by whomever. */
export const paidField = 'hs_amount_paid';
export const lineFields = ['name', 'price', 'quantity', 'amount'];
