-- Whether an account's payments are recorded in its CRM; no row: never.
CREATE TABLE crm_write_settings (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  changed_by INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  -- 'not_allowed': the grant lacks the scope; 'cannot': the CRM refused, in the words of `said`.
  state TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'not_allowed', 'cannot')),
  said TEXT NOT NULL DEFAULT '',
  -- Nothing is written before then.
  wait_until INTEGER NOT NULL DEFAULT 0,
  -- Whether the last record moved what its invoice owes; NULL: none has told yet.
  moves_balance INTEGER CHECK (moves_balance IN (0, 1))
) STRICT;

-- What the CRM is owed about a row of the ledger, written with it: one row, so one record.
CREATE TABLE crm_writes (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'reversal')),
  amount_cents INTEGER NOT NULL,
  -- 'sent': a record was asked for and may be there; 'unknown': a person decides.
  state TEXT NOT NULL CHECK (state IN ('due', 'sent', 'written', 'refused', 'unknown', 'not_wanted', 'by_hand')),
  -- The CRM's id of the record.
  object_id TEXT NOT NULL DEFAULT '',
  tries INTEGER NOT NULL DEFAULT 0,
  -- How often it was looked for since, or, once written, how often the balance was read.
  looks INTEGER NOT NULL DEFAULT 0,
  -- What was owed right before it was sent.
  balance_cents INTEGER,
  sent_at INTEGER,
  next_try_at INTEGER,
  -- Why not, in the CRM's words or ours.
  said TEXT NOT NULL DEFAULT '',
  -- What the CRM shows of the invoice since; empty: not read yet.
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
