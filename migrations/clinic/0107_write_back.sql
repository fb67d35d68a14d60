-- These tables hold the account's setting for write-back, and the payment records for the CRM.

-- Write-back setting of an account; without a row, its payments are never recorded in the CRM.
CREATE TABLE crm_write_settings (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  changed_by INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  -- 'not_allowed': the grant lacks the scope; 'cannot': the CRM refused, with the message in `said`.
  state TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'not_allowed', 'cannot')),
  said TEXT NOT NULL DEFAULT '',
  -- No writes before this time.
  wait_until INTEGER NOT NULL DEFAULT 0,
  -- 1: the last record moved the open balance of its invoice; 0: it did not; NULL: not known yet.
  moves_balance INTEGER CHECK (moves_balance IN (0, 1))
) STRICT;

-- Records due in the CRM for a ledger entry, written together with it: one ledger row, one record.
CREATE TABLE crm_writes (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'reversal')),
  amount_cents INTEGER NOT NULL,
  -- 'sent': the record was requested and may exist; 'unknown': staff decide.
  state TEXT NOT NULL CHECK (state IN ('due', 'sent', 'written', 'refused', 'unknown', 'not_wanted', 'by_hand')),
  -- The CRM's id of the record.
  object_id TEXT NOT NULL DEFAULT '',
  tries INTEGER NOT NULL DEFAULT 0,
  -- Number of lookups of the record since then; once it is written, number of balance reads.
  looks INTEGER NOT NULL DEFAULT 0,
  -- Open balance right before the record was sent.
  balance_cents INTEGER,
  sent_at INTEGER,
  next_try_at INTEGER,
  -- Reason for no record, in the CRM's words or ours.
  said TEXT NOT NULL DEFAULT '',
  -- Effect on the invoice in the CRM since then; empty: not read yet.
  effect TEXT NOT NULL DEFAULT '' CHECK (effect IN ('', 'paid', 'balance_moved', 'nothing_moved')),
  note TEXT NOT NULL DEFAULT '',
  decided_by INTEGER,
  created_at INTEGER NOT NULL,
  done_at INTEGER
) STRICT;
CREATE INDEX crm_writes_due ON crm_writes (account_id, next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX crm_writes_sent ON crm_writes (account_id, invoice_id) WHERE state = 'sent';
CREATE INDEX crm_writes_undone ON crm_writes (account_id, created_at) WHERE state IN ('refused', 'unknown');
CREATE INDEX crm_writes_attempt ON crm_writes (attempt_id, kind);
CREATE INDEX crm_writes_made ON crm_writes (created_at);
