/** Answers of a merchant's calls about batches, their transactions, and payments that are taken back. */

export const batchStatuses = ['OPEN', 'CLOSED', 'PENDING', 'FAILED', 'UNKNOWN'] as const;

/** A batch as the gateway shows it: all values are text, money with two decimals, moments in ISO form. */
export type Batch = {
  id: string;
  /** PENDING is being closed; FAILED can be closed again. */
  status: (typeof batchStatuses)[number];
  terminal_name: string;
  'terminal-id': string;
  'date-opened': string | null;
  settled: string | null;
  'sales-count': string;
  'sales-total': string;
  'refund-count': string;
  'refund-total': string;
  'net-amount': string;
  'confirmation-code': string | null;
};

/** GET /api/terminals/{terminalId}/batches, newest first. */
export type BatchesReply = { batch: Batch[] };

/** PUT /api/terminals/{terminalId}/batches/close; `?batch=` names the one that is meant. */
export type CloseBatchReply = {
  status: 'closed' | 'processing' | 'unknown';
  message: string;
  batch: Batch | null;
};

/** GET /api/terminals/{terminalId}/closing: what a close would contain now. */
export type ClosingReply = {
  batch: Batch | null;
  /** Payments on this terminal of which nobody knows yet whether they went through. */
  unknown: { invoice_number: string; amount: string; since: string }[];
  /** Same card, same amount, within ten minutes; earliest first. Null: the gateway did not list them. */
  duplicates: { amount: string; 'card-type': string; card: string; created: string[] }[] | null;
};

/** What a merchant may do with a payment now, and why not where it is nothing. */
export type ReversalOffer = {
  kind: 'void' | 'refund' | null;
  /** Up to so much; a void is always the whole payment. */
  left: string;
  why: string | null;
};

/** GET /api/terminals/{terminalId}/batches/{batchId}: a list of these, oldest first. */
export type BatchTransaction = {
  id: string;
  amount: string | null;
  type: string;
  result: string;
  'card-type': string;
  card: string;
  billing: { 'first-name': string; 'last-name': string };
  created: string | null;
  voided: boolean;
  /** The payment in our own books; null for what was not taken here. */
  payment: {
    id: string;
    invoice_id: string;
    invoice_number: string;
    /** Null for what is no payment itself, a refund for example. */
    offer: ReversalOffer | null;
  } | null;
};

export type ReversalState = 'under-way' | 'done' | 'refused' | 'not-done' | 'needs-a-person';

export type ShownReversal = {
  id: string;
  kind: 'void' | 'refund';
  amount: string;
  state: ReversalState;
  reason: string;
  /** What the gateway said. */
  message: string;
  at: string;
};

/** GET /api/payments/{id}/reversal: a payment, what may be done with it, and what was. */
export type ReversalView = {
  payment: {
    id: string;
    invoice_id: string;
    invoice_number: string;
    amount: string;
    card: string;
    paid_at: string;
  };
  offer: ReversalOffer;
  reversals: ShownReversal[];
};

/** POST /api/payments/{id}/reversals, as the gateway confirmed it; `under-way` with status 202: it is not known yet. */
export type ReversalReply = { reversal: ShownReversal; message: string };

/** POST /api/invoices/{id}/collect-again */
export type ReopenInvoiceReply = {
  /** Which collection of this invoice is open now. */
  collection: number;
  /** Null, or why payers still cannot pay it. */
  notice: string | null;
};
