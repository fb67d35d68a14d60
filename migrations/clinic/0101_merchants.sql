-- These tables hold the clinic's merchant account at the card provider, its terminals and its batches.

-- The account's application for a merchant account at the card provider. The row is the claim: one application per
-- account, no matter how often the form is sent.
CREATE TABLE merchants (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  name TEXT NOT NULL,
  merchant_number TEXT,
  signup_url TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT 'applying'
    CHECK (status IN ('applying', 'applied', 'pended', 'in-review', 'approved', 'declined', 'boarded')),
  claimed_at INTEGER NOT NULL,
  -- Line at the bottom of every printed invoice of this merchant; empty: the product's own line.
  footer_text TEXT NOT NULL DEFAULT ''
) STRICT;

-- Messages from the card provider about an application. A repeated message adds no row.
CREATE TABLE merchant_logs (
  account_id INTEGER NOT NULL REFERENCES merchants (account_id),
  message_hash TEXT NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (account_id, message_hash)
) STRICT;

CREATE TABLE terminals (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  terminal_id TEXT NOT NULL,
  name TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('ecommerce', 'counter')),
  public_key TEXT NOT NULL,
  api_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Last time the card reader was known to respond; the card provider does not report this.
  heard_at INTEGER,
  -- Set when the card provider refused the terminal's credentials (UTC ms), until it accepts them again. Meanwhile
  -- another terminal is used.
  refused_at INTEGER,
  PRIMARY KEY (account_id, terminal_id)
) STRICT, WITHOUT ROWID;

-- A terminal's batches as the card provider last showed them, with their deposits from its own report.
CREATE TABLE batches (
  account_id INTEGER NOT NULL,
  terminal_id TEXT NOT NULL,
  batch_id TEXT NOT NULL,
  status TEXT NOT NULL,
  opened_at INTEGER,
  settled_at INTEGER,
  net_cents INTEGER,
  confirmation_code TEXT NOT NULL DEFAULT '',
  -- Payout day and deposit in cents; NULL: not reported yet.
  funded_on TEXT,
  deposit_cents INTEGER,
  PRIMARY KEY (account_id, terminal_id, batch_id),
  FOREIGN KEY (account_id, terminal_id) REFERENCES terminals (account_id, terminal_id)
) STRICT;
CREATE INDEX batches_open ON batches (account_id, terminal_id) WHERE status <> 'closed';
-- Closed batches that still lack a deposit: always few, from the last days.
CREATE INDEX batches_unfunded ON batches (account_id, settled_at) WHERE status = 'closed' AND funded_on IS NULL;

-- The gateway's close call does not specify a batch: it closes the open one. So the close is claimed here first, once
-- per batch, and its result is stored for repeated requests.
CREATE TABLE batch_closes (
  account_id INTEGER NOT NULL,
  terminal_id TEXT NOT NULL,
  batch_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'sent' CHECK (state IN ('sent', 'unknown', 'processing', 'closed', 'failed')),
  requested_by INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  ended_at INTEGER,
  message TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (account_id, terminal_id, batch_id),
  FOREIGN KEY (account_id, terminal_id) REFERENCES terminals (account_id, terminal_id)
) STRICT;
-- While the outcome of a close is unknown, a second close on the same terminal could hit the next batch.
CREATE UNIQUE INDEX batch_closes_one_live ON batch_closes (account_id, terminal_id) WHERE state IN ('sent', 'unknown');
-- Closes of a terminal: those in progress, and the newest.
CREATE INDEX batch_closes_open ON batch_closes (account_id, terminal_id, state)
  WHERE state IN ('sent', 'unknown', 'processing');
CREATE INDEX batch_closes_asked ON batch_closes (account_id, terminal_id, requested_at);
CREATE INDEX batch_closes_ended ON batch_closes (account_id, terminal_id, ended_at);
