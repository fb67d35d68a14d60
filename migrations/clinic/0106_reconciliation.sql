-- These tables hold the gateway's transactions for reconciliation, and decisions of staff on unclear outcomes.

CREATE TABLE gateway_transactions (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  provider_txn_id TEXT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('card', 'ach')),
  terminal_id TEXT NOT NULL,
  -- Empty: not in a batch.
  batch_id TEXT NOT NULL,
  -- As the gateway calls it: SALE, REFUND, VOID, DEBIT...
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  is_voided INTEGER NOT NULL,
  amount_cents INTEGER,
  -- Net effect in cents: charges positive, refunds negative, 0 if no money moved; NULL: not decided yet.
  net_cents INTEGER,
  order_id TEXT NOT NULL,
  parent_id TEXT NOT NULL,
  -- The gateway's `invoice`.
  dedupe_key TEXT NOT NULL,
  card TEXT NOT NULL,
  payer TEXT NOT NULL,
  at INTEGER,
  seen_at INTEGER NOT NULL,
  -- As of seen_at. 'earlier': from before this merchant's terminals were connected to us.
  verdict TEXT NOT NULL DEFAULT 'none'
    CHECK (verdict IN ('none', 'earlier', 'matched', 'only-gateway', 'amount-differs')),
  PRIMARY KEY (account_id, provider_txn_id, method)
) STRICT;
CREATE INDEX gateway_transactions_batch ON gateway_transactions (account_id, batch_id);
CREATE INDEX gateway_transactions_open ON gateway_transactions (account_id, at)
  WHERE verdict IN ('only-gateway', 'amount-differs');
CREATE INDEX gateway_transactions_parent ON gateway_transactions (account_id, parent_id) WHERE parent_id <> '';
CREATE INDEX gateway_transactions_with_payer ON gateway_transactions (at) WHERE payer <> '';
CREATE INDEX gateway_transactions_without_payer ON gateway_transactions (at) WHERE payer = '';
-- Card transactions that a void may still reverse, for the search in
-- worker/data/reconciliation/transaction-queries.ts.
CREATE INDEX gateway_transactions_voidable ON gateway_transactions (account_id, at)
WHERE method = 'card' AND state = 'approved' AND is_voided = 0;

-- Progress of reading a merchant's transactions from the gateway, by method.
CREATE TABLE reconciliation_cursors (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  method TEXT NOT NULL CHECK (method IN ('card', 'ach')),
  -- Everything between these two times was read completely at least once.
  read_from INTEGER NOT NULL,
  read_until INTEGER NOT NULL,
  -- Start of the next step of an unfinished run.
  resume_from INTEGER,
  next_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER,
  failing_since INTEGER,
  PRIMARY KEY (account_id, method)
) STRICT, WITHOUT ROWID;

-- Findings of staff about payments that could not be decided automatically.
CREATE TABLE resolutions (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  verdict TEXT NOT NULL CHECK (verdict IN ('charged', 'not-charged', 'not-duplicate')),
  note TEXT NOT NULL,
  resolved_by INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX resolutions_attempt ON resolutions (attempt_id);
CREATE INDEX resolutions_at ON resolutions (at);

-- Findings of staff about voids and refunds that could not be decided automatically. A decided reversal may need review
-- again, so it may have several findings.
CREATE TABLE reversal_resolutions (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  reversal_id TEXT NOT NULL REFERENCES reversals (id),
  verdict TEXT NOT NULL CHECK (verdict IN ('happened', 'not-happened')),
  note TEXT NOT NULL,
  resolved_by INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX reversal_resolutions_at ON reversal_resolutions (at);
