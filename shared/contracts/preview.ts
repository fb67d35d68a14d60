import * as z from 'zod/mini';
import { InvoiceLife } from './invoice-life.ts';
import { InvoiceProperties, MailDelivery, Mailed } from './lists.ts';
import { badAddresses } from './mail-values.ts';
import { PayLinkReply } from './pay-link.ts';
import { signings } from './signing-values.ts';

/** Answers of a merchant's calls on one invoice. */

/** PUT, body SignatureBody, and DELETE of /api/invoices/{id}/signature. */
export const SignatureReply = z.object({ signature_saved_at: z.nullable(z.string()) });
export type SignatureReply = z.infer<typeof SignatureReply>;

/** PUT /api/token/footer-text, body FooterTextBody; an empty text brings back the product's. */
export const FooterTextReply = z.object({ footer_text: z.string() });
export type FooterTextReply = z.infer<typeof FooterTextReply>;

/**
 * GET /api/invoices/{id} with a merchant's bearer, by the CRM's id or a pay id: what the preview prints. Empty text where
 * nothing is known. While the CRM does not answer it is our copy, without lines and marked by `x-data-stale`.
 */
export const InvoicePreviewReply = z.object({
  id: z.string(),
  properties: z.object({
    ...InvoiceProperties.shape,
    hs_invoice_date: z.nullable(z.string()),
    /** Paid here and not given back, by the ledger; null: it has no payment of the invoice. */
    amount_paid: z.nullable(z.string()),
    /** Paid elsewhere, by the CRM; null: it says nothing that can be read, or does not answer. */
    paid_elsewhere: z.nullable(z.string()),
    /** Added in the CRM after the invoice was paid here; nobody is asked for it. Null: nothing known was added. */
    unpaid_change: z.nullable(z.string()),
    clinic_name: z.string(),
    clinic_address: z.string(),
    clinic_phone: z.string(),
    customer_name: z.string(),
    customer_address: z.string(),
    payment_method: z.string(),
    /** The day, where the business is. */
    payment_date: z.nullable(z.string()),
    paid_via: z.string(),
    transaction_id: z.string(),
    receipt_id: z.string(),
  }),
  crm_status: z.string(),
  /** `amount` is the price of one, with more than 2 decimals where it takes them to come to the line's total. */
  lineItemData: z.array(
    z.object({
      id: z.string(),
      properties: z.object({
        name: z.string(),
        amount: z.nullable(z.string()),
        quantity: z.nullable(z.string()),
      }),
    }),
  ),
  /** True where the line totals add up to the billed amount; a tax, fee or discount on the whole invoice is in no line. */
  lines_match: z.boolean(),
  footer_text: z.string(),
  can_edit_footer: z.boolean(),
  /** The CRM has deleted it. It is shown from the stored copy, because money was taken for it. */
  is_deleted_in_crm: z.boolean(),
  /** Whether a signature is kept with the invoice; GET /api/invoices/{id}/signature answers its PNG. */
  signature_saved_at: z.nullable(z.string()),
  /** How who paid by the link signed: the name they typed or the sentence they ticked; no words where they drew. */
  payer_signature: z.nullable(z.object({ kind: z.enum(signings), words: z.string(), at: z.string() })),
  /** Null where there is none, or where the currency cannot be paid online. */
  pay_link: z.nullable(PayLinkReply),
  email: z.string(),
  /** The CRM's id of the customer; empty where none is linked. */
  customer_id: z.string(),
  mailed_at: z.nullable(z.string()),
  mailed: Mailed,
  delivery: MailDelivery,
  /** Why no mail arrives at `email`; null: nothing is known against it. */
  bad_address: z.nullable(z.enum(badAddresses)),
  receipt_url: z.nullable(z.string()),
  /** The card payment that was booked for it, which may be voided or refunded. */
  payment_id: z.nullable(z.string()),
  /** Its money went back: payers find it closed until it is collected again. */
  can_collect_again: z.boolean(),
  life: InvoiceLife,
  /**
   * Whether the account lets invoices be paid in parts, and the CRM this one (null: it does not say); of one that is, what it
   * comes to and what was paid.
   */
  parts: z.object({
    is_on: z.boolean(),
    /** The CRM shows another amount than it did: nothing is taken until staff have said what is owed. */
    is_frozen: z.boolean(),
    crm_allows: z.nullable(z.boolean()),
    base: z.nullable(z.string()),
    paid: z.string(),
  }),
});
export type InvoicePreviewReply = z.infer<typeof InvoicePreviewReply>;
