-- Closing a batch at the gateway has no name for the batch: it closes whichever is open. So the batch is claimed here first,
-- once, and the answer is kept for whoever asks again.

CREATE TABLE batch_closes (
  hub_id INTEGER NOT NULL,
  terminal_id TEXT NOT NULL,
  batch_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'sent' CHECK (state IN ('sent', 'unknown', 'processing', 'closed', 'failed')),
  asked_by INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  ended_at INTEGER,
  message TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (hub_id, terminal_id, batch_id),
  FOREIGN KEY (hub_id, terminal_id) REFERENCES terminals (hub_id, terminal_id)
) STRICT;
-- While nobody knows what became of a close, another one on the same terminal could hit the batch after it.
CREATE UNIQUE INDEX batch_closes_one_live ON batch_closes (hub_id, terminal_id) WHERE state IN ('sent', 'unknown');

-- A payment that is taken back: whole while its batch is open (void), up to what is left of it afterwards (refund).
CREATE TABLE reversals (
  -- Also the gateway's order id.
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL,
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  invoice_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('void', 'refund')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  dedupe_key TEXT NOT NULL,
  -- The form's own key: one press is one reversal, however often it is sent.
  request_key TEXT NOT NULL,
  reason TEXT NOT NULL,
  asked_by INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'sent',
  provider_txn_id TEXT,
  exchange_id TEXT NOT NULL DEFAULT '',
  message TEXT NOT NULL DEFAULT '',
  provider_code TEXT NOT NULL DEFAULT '',
  hold_until INTEGER NOT NULL,
  next_check_at INTEGER,
  checks INTEGER NOT NULL DEFAULT 0,
  empty_checks INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  settled_at INTEGER
) STRICT;
-- The lock: a payment is given back by one at a time, claimed by INSERT before the gateway is called.
CREATE UNIQUE INDEX reversals_one_live ON reversals (attempt_id) WHERE state IN ('sent', 'unknown', 'needs_human');
CREATE UNIQUE INDEX reversals_request ON reversals (attempt_id, request_key);
CREATE INDEX reversals_due ON reversals (next_check_at) WHERE next_check_at IS NOT NULL;

CREATE TRIGGER reversals_moves BEFORE UPDATE OF state ON reversals
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent' AND NEW.state IN ('approved', 'refused', 'unknown'))
  OR (OLD.state = 'unknown' AND NEW.state IN ('approved', 'refused', 'not_done', 'needs_human'))
  -- Late, but the gateway has carried it out.
  OR (OLD.state = 'not_done' AND NEW.state IN ('approved', 'needs_human'))
  OR (OLD.state = 'needs_human' AND NEW.state IN ('approved', 'not_done'))
)
BEGIN
  SELECT RAISE(ABORT, 'this reversal cannot move to that state');
END;
