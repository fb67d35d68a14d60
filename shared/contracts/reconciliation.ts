/** Answers of a merchant's calls about how the gateway's transactions and our own books agree. */

export type ReconciliationVerdict =
  | 'matched'
  | 'only-gateway'
  | 'only-ours'
  | 'amount-differs'
  /** From before the merchant's terminals were ours. */
  | 'earlier'
  /** Nothing was moved, or nothing is decided yet. */
  | 'none';

export type ReconciliationLine = {
  /** The gateway's id. */
  id: string;
  verdict: ReconciliationVerdict;
  /** In the gateway's words; empty for what the gateway does not show. */
  type: string;
  at: string | null;
  /** What it moved by the gateway's record and by our books: given back is negative; null where it is not there. */
  amount: string | null;
  ours: string | null;
  card: string;
  /** The name on the card. */
  payer: string;
  customer: string;
  invoice: { id: string; number: string } | null;
};

export type ReconciliationSum = { what: 'sales' | 'refunds' | 'net'; lines: string; batch: string; agrees: boolean };

/** GET /api/terminals/{terminalId}/batches/{batchId}/match: its lines, oldest first, and the sums beside the batch's own. */
export type BatchReconciliation = { lines: ReconciliationLine[]; sums: ReconciliationSum[] };

/** A payment that no program could decide. */
export type Undecided = {
  payment_id: string;
  invoice_id: string;
  invoice_number: string;
  customer: string;
  amount: string;
  since: string;
};

/** A void or refund that no program could decide. */
export type UndecidedReversal = {
  reversal_id: string;
  kind: 'void' | 'refund';
  invoice_id: string;
  invoice_number: string;
  customer: string;
  /** What was asked for, of what was paid and of what went back before. */
  amount: string;
  paid: string;
  given_back: string;
  reason: string;
  by: string;
  since: string;
  /** Why a person has to decide; empty where it was not noted. */
  why: string;
};

export type Resolution = {
  about: 'payment' | 'void' | 'refund';
  invoice_number: string;
  amount: string;
  verdict: 'charged' | 'not-charged' | 'happened' | 'not-happened';
  note: string;
  by: string;
  at: string;
};

/** GET /api/matching: what does not agree, newest first, as of the last time that all was read. */
export type ReconciliationView = {
  checked_at: string | null;
  /** Since when the gateway could not be read; null: it can. */
  failing_since: string | null;
  differences: ReconciliationLine[];
  undecided: Undecided[];
  undecided_reversals: UndecidedReversal[];
  resolved: Resolution[];
};

/** POST /api/payments/{id}/resolution */
export type ResolutionReply = { verdict: 'charged' | 'not-charged'; message: string };

/** POST /api/reversals/{id}/resolution */
export type ReversalResolutionReply = { verdict: 'happened' | 'not-happened'; message: string };
