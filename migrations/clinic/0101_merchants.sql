-- The account at the card provider that a account applied for. The row is the claim: one application per account, however often
-- the form is sent.
CREATE TABLE merchants (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  name TEXT NOT NULL,
  merchant_number TEXT UNIQUE,
  signup_url TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT 'applying'
    CHECK (status IN ('applying', 'applied', 'pended', 'in-review', 'approved', 'declined', 'boarded')),
  claimed_at INTEGER NOT NULL,
  -- The line under every invoice that this merchant prints; empty means the product's own.
  footer_text TEXT NOT NULL DEFAULT ''
) STRICT;

-- What the provider told about an application. The same message twice is one row.
CREATE TABLE merchant_logs (
  account_id INTEGER NOT NULL REFERENCES merchants (account_id),
  message_hash TEXT NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (account_id, message_hash)
) STRICT;
CREATE INDEX merchant_logs_at ON merchant_logs (at);

CREATE TABLE terminals (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  terminal_id TEXT NOT NULL,
  name TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('ecommerce', 'counter')),
  public_key TEXT NOT NULL,
  api_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- The last moment at which a card reader was known to answer; the provider itself does not tell.
  heard_at INTEGER,
  -- When the card provider refused a terminal's credentials and has not taken them since (UTC ms): another one is used.
  refused_at INTEGER,
  PRIMARY KEY (account_id, terminal_id)
) STRICT;

-- A terminal's batch as the gateway showed it last, and what of it arrived at the bank, by the gateway's own report.
CREATE TABLE batches (
  account_id INTEGER NOT NULL,
  terminal_id TEXT NOT NULL,
  batch_id TEXT NOT NULL,
  status TEXT NOT NULL,
  opened_at INTEGER,
  settled_at INTEGER,
  net_cents INTEGER,
  confirmation_code TEXT NOT NULL DEFAULT '',
  -- The day on which it was paid out, and how much came; null where the gateway has not told.
  funded_on TEXT,
  deposit_cents INTEGER,
  PRIMARY KEY (account_id, terminal_id, batch_id),
  FOREIGN KEY (account_id, terminal_id) REFERENCES terminals (account_id, terminal_id)
) STRICT;
CREATE INDEX batches_open ON batches (account_id, terminal_id) WHERE status <> 'closed';
-- Those whose deposit is looked for: always the few of the last days.
CREATE INDEX batches_unfunded ON batches (account_id, settled_at) WHERE status = 'closed' AND funded_on IS NULL;

-- Closing a batch at the gateway has no name for the batch: it closes whichever is open. So the batch is claimed here first,
-- once, and the answer is kept for those who ask again.
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
-- While nobody knows what became of a close, another one on the same terminal could hit the batch after it.
CREATE UNIQUE INDEX batch_closes_one_live ON batch_closes (account_id, terminal_id) WHERE state IN ('sent', 'unknown');
-- The closes of a terminal: those under way, and the newest.
CREATE INDEX batch_closes_open ON batch_closes (account_id, terminal_id, state)
  WHERE state IN ('sent', 'unknown', 'processing');
CREATE INDEX batch_closes_asked ON batch_closes (account_id, terminal_id, requested_at);
CREATE INDEX batch_closes_ended ON batch_closes (account_id, terminal_id, ended_at);
