import * as z from 'zod/mini';
import { PayLinkReply, requestId } from '../payments/pay-links.ts';
import { signings } from '../payments/signing-values.ts';
import { InvoiceProperties, MailDelivery, Mailed } from './lists.ts';
import { badAddresses, customerMails, deliveries } from './mail-values.ts';

const Moment = z.string();

/** The batch of a payment. `deposit` and `fees` are null until the card provider reports the payout. */
const LifeBatch = z.object({
  id: z.string(),
  settled_at: z.nullable(Moment),
  confirmation: z.string(),
  /** The payout day, YYYY-MM-DD. */
  funded_on: z.nullable(z.string()),
  deposit: z.nullable(z.string()),
  fees: z.nullable(z.string()),
});

/** CRM state of a payment taken here. `recorded` requires a check of the CRM's balance; `by-hand` is set by staff. */
const CrmRecord = z.object({
  /**
   * `waiting`: not recorded or not verified yet; `unmoved`: recorded, but the balance has not changed; `missing`: not
   * recorded, for the reason in `why`.
   */
  state: z.enum(['recorded', 'by-hand', 'waiting', 'unmoved', 'missing']),
  /** Time of recording. */
  at: z.nullable(Moment),
  /** Reason in the CRM's words or ours; empty if unknown. */
  why: z.string(),
});
export type CrmRecord = z.infer<typeof CrmRecord>;

/**
 * The known history of an invoice, in the response of GET /api/invoices/{id} to staff. Money and times as in
 * list-values.ts.
 */
export const InvoiceLife = z.object({
  /** Pay link emails accepted by the mail service. */
  sent: z.nullable(z.object({ first_at: Moment, last_at: Moment, times: z.number(), to: z.string() })),
  /** Reminders accepted by the mail service. */
  reminded: z.nullable(z.object({ first_at: Moment, last_at: Moment, times: z.number() })),
  /** Views of its pay page. */
  opened: z.nullable(z.object({ first_at: Moment, last_at: Moment, times: z.number() })),
  /** Payments of the current collection, oldest first. */
  payments: z.array(
    z.object({
      id: z.string(),
      at: Moment,
      amount: z.string(),
      /** "Visa 1111" */
      card: z.string(),
      via: z.string(),
      state: z.enum(['approved', 'pending', 'voided', 'refunded', 'returned']),
      /** Its batch; null until the card provider reports it. */
      batch: z.nullable(LifeBatch),
      /** Null if payments are not recorded in the CRM, or if this one is not in the ledger or was reversed. */
      in_crm: z.nullable(CrmRecord),
    }),
  ),
  /**
   * Bank payments that the bank returned before they arrived, since the last collection with a payment, oldest first.
   */
  returned: z.array(z.object({ at: Moment, returned_at: Moment, amount: z.string() })),
  /** A payment whose outcome is unknown; null if there is none. */
  undecided: z.nullable(
    z.object({ id: z.string(), at: Moment, amount: z.string(), state: z.enum(['sent', 'unknown', 'needs_human']) }),
  ),
  /** Reversals, newest first. `is_earlier`: of an earlier collection. */
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
      /** The batch of the refund itself, not of its payment; null if unknown. */
      batch: z.nullable(z.object({ id: z.string(), terminal_id: z.string() })),
    }),
  ),
  /** Totals of the current collection. */
  paid: z.string(),
  refunded: z.string(),
  /** Emails to the customer about the invoice, newest first. */
  mails: z.array(
    z.object({
      kind: z.enum(customerMails),
      at: Moment,
      state: z.enum(['due', 'sent', 'failed']),
      /** Delivery state reported by the mail service, or null. */
      delivery: z.nullable(z.enum(deliveries)),
    }),
  ),
});
export type InvoiceLife = z.infer<typeof InvoiceLife>;

/** Responses to a merchant's calls on one invoice. */

/** PUT, body SignatureBody, and DELETE of /api/invoices/{id}/signature. */
export const SignatureReply = z.object({ signature_saved_at: z.nullable(z.string()) });
export type SignatureReply = z.infer<typeof SignatureReply>;

/** GET and PUT /api/token/footer-text; the body is FooterTextBody, and an empty text restores the default. */
export const FooterTextReply = z.object({ footer_text: z.string() });
export type FooterTextReply = z.infer<typeof FooterTextReply>;

/**
 * GET /api/invoices/{id} with a merchant's bearer token, by the CRM's id or a pay id: the content of the preview.
 * Unknown text is empty. While the CRM does not respond, it is our copy, without lines and marked by `x-data-stale`.
 */
export const InvoicePreviewReply = z.object({
  id: z.string(),
  properties: z.object({
    ...InvoiceProperties.shape,
    hs_invoice_date: z.nullable(z.string()),
    /** Paid here less reversals, from the ledger; null if the ledger has no payment of the invoice. */
    amount_paid: z.nullable(z.string()),
    /** Paid elsewhere, according to the CRM; null if unreadable or if the CRM does not respond. */
    paid_elsewhere: z.nullable(z.string()),
    /** Added in the CRM after the invoice was paid here; not collected. Null if nothing was added. */
    unpaid_change: z.nullable(z.string()),
    clinic_name: z.string(),
    clinic_address: z.string(),
    clinic_phone: z.string(),
    customer_name: z.string(),
    customer_address: z.string(),
    payment_method: z.string(),
    /** The day in the time zone of the business. */
    payment_date: z.nullable(z.string()),
    paid_via: z.string(),
    transaction_id: z.string(),
    receipt_id: z.string(),
  }),
  crm_status: z.string(),
  /** `amount` is the unit price, with more than 2 decimals if the line's total requires them. */
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
  /** True if the line totals add up to the billed amount. Invoice-level taxes, fees or discounts are in no line. */
  lines_match: z.boolean(),
  footer_text: z.string(),
  can_edit_footer: z.boolean(),
  /** True if it was deleted in the CRM; the stored copy is shown because money was taken for it. */
  is_deleted_in_crm: z.boolean(),
  /** Time of the stored signature, or null. GET /api/invoices/{id}/signature returns its PNG. */
  signature_saved_at: z.nullable(z.string()),
  /** The signature of a payer by link. `words`: the typed name or the ticked sentence; empty if drawn. */
  payer_signature: z.nullable(z.object({ kind: z.enum(signings), words: z.string(), at: z.string() })),
  /** Null if there is none, or if the currency cannot be paid online. */
  pay_link: z.nullable(PayLinkReply),
  email: z.string(),
  /** The CRM's id of the customer; empty if none is linked. */
  customer_id: z.string(),
  mailed_at: z.nullable(z.string()),
  mailed: Mailed,
  delivery: MailDelivery,
  /** Known delivery problem of `email`, or null. */
  bad_address: z.nullable(z.enum(badAddresses)),
  receipt_url: z.nullable(z.string()),
  /** The booked card payment, which may be voided or refunded. */
  payment_id: z.nullable(z.string()),
  /** True if the payment was reversed: the invoice is closed for payers until it is reopened. */
  can_collect_again: z.boolean(),
  life: InvoiceLife,
  /**
   * Payment in parts. `is_on`: allowed by the account. `crm_allows`: allowed by the CRM for this invoice, null if
   * unknown. For an invoice in parts also its total and the amount paid.
   */
  parts: z.object({
    is_on: z.boolean(),
    /** The CRM's amount has changed: payments are blocked until staff decide the amount owed. */
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
