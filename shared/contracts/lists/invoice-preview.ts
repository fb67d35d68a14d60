import * as z from 'zod/mini';
import { PayLinkReply, requestId } from '../payments/pay-links.ts';
import { signings } from '../payments/signing-values.ts';
import { InvoiceProperties, MailDelivery, Mailed } from './lists.ts';
import { badAddresses, customerMails, deliveries } from './mail-values.ts';

const Moment = z.string();

/** What became of a payment's batch. `deposit` and `fees` once the card provider reported what arrived at the bank. */
const LifeBatch = z.object({
  id: z.string(),
  settled_at: z.nullable(Moment),
  confirmation: z.string(),
  /** The day on which the money came, YYYY-MM-DD. */
  funded_on: z.nullable(z.string()),
  deposit: z.nullable(z.string()),
  fees: z.nullable(z.string()),
});

/** What the CRM shows of a payment that was taken here. Only the balance that was read back says `recorded`, or a person. */
const CrmRecord = z.object({
  /**
   * `waiting`: it is still to be recorded, or whether it is there is still to be seen; `unmoved`: recorded, and the balance
   * has not moved; `missing`: not there, by what `why` says.
   */
  state: z.enum(['recorded', 'by-hand', 'waiting', 'unmoved', 'missing']),
  /** When it was recorded. */
  at: z.nullable(Moment),
  /** In the CRM's words or ours; empty: nothing more is known. */
  why: z.string(),
});
export type CrmRecord = z.infer<typeof CrmRecord>;

/**
 * What happened to an invoice, of what we know: what is unknown is left out. Part of the answer of GET /api/invoices/{id}
 * to staff. Money and times as in list-values.ts.
 */
export const InvoiceLife = z.object({
  /** Mails of its pay link that were taken by the mail service. */
  sent: z.nullable(z.object({ first_at: Moment, last_at: Moment, times: z.number(), to: z.string() })),
  /** Reminders that were taken by the mail service. */
  reminded: z.nullable(z.object({ first_at: Moment, last_at: Moment, times: z.number() })),
  /** Loads of its pay page at which somebody looked. */
  opened: z.nullable(z.object({ first_at: Moment, last_at: Moment, times: z.number() })),
  /** Payments of the present collection, oldest first. */
  payments: z.array(
    z.object({
      id: z.string(),
      at: Moment,
      amount: z.string(),
      /** "Visa 1111" */
      card: z.string(),
      via: z.string(),
      state: z.enum(['approved', 'pending', 'voided', 'refunded', 'returned']),
      /** The batch that it is in, once the card provider told. */
      batch: z.nullable(LifeBatch),
      /** Null: payments of this account are not recorded in the CRM, or this one is not in the ledger, or went back. */
      in_crm: z.nullable(CrmRecord),
    }),
  ),
  /** Of this payment nobody knows yet whether it was charged. */
  undecided: z.nullable(
    z.object({ id: z.string(), at: Moment, amount: z.string(), state: z.enum(['sent', 'unknown', 'needs_human']) }),
  ),
  /** What went back, newest first; `is_earlier`: of a collection before the present one. */
  given_back: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['void', 'refund']),
      amount: z.string(),
      at: Moment,
      card: z.string(),
      reason: z.string(),
      by: z.string(),
      is_earlier: z.boolean(),
      /** Where a refund stands, which is not the batch of its payment. Null: not known. */
      batch: z.nullable(z.object({ id: z.string(), terminal_id: z.string() })),
    }),
  ),
  /** Of the present collection. */
  paid: z.string(),
  refunded: z.string(),
  /** Mails to the customer about it, newest first. */
  mails: z.array(
    z.object({
      kind: z.enum(customerMails),
      at: Moment,
      state: z.enum(['due', 'sent', 'failed']),
      /** What the mail service told of it; null: nothing. */
      delivery: z.nullable(z.enum(deliveries)),
    }),
  ),
});
export type InvoiceLife = z.infer<typeof InvoiceLife>;

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

/** Bodies of a merchant's calls on one invoice; the domain checks their values. */
export const SignatureBody = z.object({ signature: z.string() });
export type SignatureBody = z.infer<typeof SignatureBody>;
export const FooterTextBody = z.object({ footer_text: z.string() });
export type FooterTextBody = z.infer<typeof FooterTextBody>;

/** POST /api/invoices/{id}/itemised-receipt. */
export const ItemisedReceiptBody = z.strictObject({ requestId });
export type ItemisedReceiptBody = z.input<typeof ItemisedReceiptBody>;
