import type { InvoiceRow } from '#worker/data/invoices/invoices';
import type { Attempt } from '#worker/data/schema/schema';

/** What is asked for: the amount that the page showed, and the part of it that is to be paid; without one, all of it. */
export type Asked = {
  amountShown: string | undefined;
  part?: { amount: string } | undefined;
  method: Attempt['method'];
};
/** `part`: which part of its collection it is; 1 of an invoice that is paid whole. */
export type Priced = { kind: 'priced'; invoice: InvoiceRow; amountCents: number; part: number };
export type NotPriced =
  | { kind: 'pending' }
  | { kind: 'already-paid' | 'not-payable-online' | 'nothing-to-pay' | 'amount-unreadable' }
  | { kind: 'amount-changed' | 'crm-unavailable' }
  /** Of an invoice that is paid in parts: the CRM's amount has changed, and a person says what is owed. */
  | { kind: 'frozen' }
  | { kind: 'part-refused'; message: string };
