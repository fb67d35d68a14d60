/** A row of the product's table of payment attempts. */
export type AttemptRow = {
  id: string;
  invoice_id: string;
  collection: number;
  part: number;
  state: string;
  method: string;
  channel: string;
  amount_cents: number;
  refunded_cents: number;
  dedupe_key: string;
  token_hash: string | null;
  provider_txn_id: string | null;
  receipt_to: string;
  hold_until: number;
  created_at: number;
  settled_at: number | null;
  needs_human_from: string | null;
};

export const ATTEMPTS = `SELECT id, invoice_id, collection, part, state, method, channel, amount_cents, refunded_cents, dedupe_key,
  token_hash, provider_txn_id, receipt_to, hold_until, created_at, settled_at, needs_human_from
  FROM payment_attempts`;
