import * as z from 'zod/mini';
import { customerMails, deliveries } from './mail-values.ts';

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
