-- These tables hold voids and refunds, and the approvals that they need from a second person.

-- Reversals of payments: in full while the batch is open (void), afterwards up to the remaining amount (refund).
CREATE TABLE reversals (
  -- Also the gateway's order id.
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  invoice_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('void', 'refund')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  dedupe_key TEXT NOT NULL,
  -- The form's idempotency key: one click is one reversal, no matter how often it is sent.
  request_key TEXT NOT NULL,
  reason TEXT NOT NULL,
  requested_by INTEGER NOT NULL,
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
  settled_at INTEGER,
  -- Batch of the void or refund, as reported by the gateway; empty: none reported.
  batch_id TEXT NOT NULL DEFAULT ''
) STRICT;
-- The lock: one reversal of a payment at a time, claimed by INSERT before the gateway call.
CREATE UNIQUE INDEX reversals_one_live ON reversals (attempt_id) WHERE state IN ('sent', 'unknown', 'needs_human');
CREATE UNIQUE INDEX reversals_request ON reversals (attempt_id, request_key);
CREATE INDEX reversals_due ON reversals (next_check_at) WHERE next_check_at IS NOT NULL;
-- Reversals that need review by staff: always few.
CREATE INDEX reversals_undecided ON reversals (account_id, created_at) WHERE state = 'needs_human';
CREATE INDEX reversals_with_reason ON reversals (created_at) WHERE reason <> '';
CREATE INDEX reversals_of_user ON reversals (account_id, requested_by, created_at);

-- Refunds and voids that wait for a second person, or that a second person decided.
CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  kind TEXT NOT NULL CHECK (kind IN ('void', 'refund')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  reason TEXT NOT NULL,
  request_key TEXT NOT NULL,
  requested_by INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'refused', 'ended')),
  decided_by INTEGER,
  decided_at INTEGER,
  -- The reason of the person who refused it; '' if none was given.
  decision_note TEXT NOT NULL DEFAULT '',
  -- Time at which the clinic's alarm carries out an approved refund or void, in case the approving request died before;
  -- for a waiting request, its end. NULL: nothing left to do.
  next_try_at INTEGER,
  -- The requester may withdraw the request, but never approve it.
  CHECK (state <> 'approved' OR decided_by <> requested_by),
  UNIQUE (account_id, request_key)
) STRICT;
CREATE UNIQUE INDEX approvals_waiting ON approvals (attempt_id) WHERE state = 'waiting';
CREATE INDEX approvals_asked ON approvals (requested_at);
CREATE INDEX approvals_due ON approvals (next_try_at) WHERE next_try_at IS NOT NULL;

CREATE TRIGGER reversals_moves BEFORE UPDATE OF state ON reversals
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent' AND NEW.state IN ('approved', 'refused', 'unknown'))
  OR (OLD.state = 'unknown' AND NEW.state IN ('approved', 'refused', 'not_done', 'needs_human'))
  -- The gateway has carried it out late.
  OR (OLD.state = 'not_done' AND NEW.state IN ('approved', 'needs_human'))
  OR (OLD.state = 'needs_human' AND NEW.state IN ('approved', 'not_done'))
  -- A refund that was voided at the gateway.
  OR (OLD.state = 'approved' AND NEW.state = 'not_done' AND OLD.kind = 'refund')
)
BEGIN
  SELECT RAISE(ABORT, 'this reversal cannot move to that state');
END;

-- An approval whose refund failed is due again: the clinic's alarm ends it and notifies the people involved.
CREATE TRIGGER reversals_in_vain AFTER UPDATE OF state ON reversals
WHEN OLD.state NOT IN ('refused', 'not_done', 'approved') AND NEW.state IN ('refused', 'not_done') BEGIN
  UPDATE approvals SET next_try_at = coalesce(NEW.settled_at, NEW.created_at)
  WHERE account_id = NEW.account_id AND request_key = NEW.request_key AND attempt_id = NEW.attempt_id
    AND state = 'approved';
END;
