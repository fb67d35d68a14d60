-- Payments, what was given back of them, and the mails that they owe.

CREATE TABLE pay_links (
  pay_id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'revoked', 'ended')),
  issued_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  FOREIGN KEY (hub_id, invoice_id) REFERENCES invoices (hub_id, invoice_id)
) STRICT;
CREATE UNIQUE INDEX pay_links_one_live ON pay_links (hub_id, invoice_id) WHERE state = 'live';
CREATE INDEX pay_links_end ON pay_links (ends_at);
-- Every link of an invoice: without it, each invoice that is deleted would be looked for among all links.
CREATE INDEX pay_links_invoice ON pay_links (hub_id, invoice_id);

CREATE TABLE payment_attempts (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  collection INTEGER NOT NULL,
  pay_id TEXT,
  terminal_id TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('link', 'terminal')),
  method TEXT NOT NULL CHECK (method IN ('card', 'ach')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  currency TEXT NOT NULL,
  invoice_number TEXT NOT NULL,
  dedupe_key TEXT NOT NULL,
  attempt_key TEXT,
  token_hash TEXT,
  receipt_id TEXT NOT NULL UNIQUE,
  receipt_to TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT 'sent',
  -- Which state it left when it was put before a person. Only one that was never released ('unknown') may leave that state
  -- without one, and only by the facts that worker/domain/payments/resolve-automatically.ts asks for.
  needs_human_from TEXT NOT NULL DEFAULT '',
  payer_first_name TEXT NOT NULL DEFAULT '',
  payer_last_name TEXT NOT NULL DEFAULT '',
  payer_address TEXT NOT NULL DEFAULT '',
  payer_address2 TEXT NOT NULL DEFAULT '',
  payer_city TEXT NOT NULL DEFAULT '',
  payer_state TEXT NOT NULL DEFAULT '',
  payer_zip TEXT NOT NULL DEFAULT '',
  signature_key TEXT,
  ip_key TEXT NOT NULL DEFAULT '',
  provider_txn_id TEXT,
  exchange_id TEXT NOT NULL DEFAULT '',
  auth_code TEXT NOT NULL DEFAULT '',
  card_brand TEXT NOT NULL DEFAULT '',
  card_last_four TEXT NOT NULL DEFAULT '',
  card_masked TEXT NOT NULL DEFAULT '',
  result TEXT NOT NULL DEFAULT '',
  message TEXT NOT NULL DEFAULT '',
  provider_code TEXT NOT NULL DEFAULT '',
  fee_cents INTEGER,
  -- Of the amount, what was given back; more than was paid cannot be.
  refunded_cents INTEGER NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  -- Who started it at a desk.
  started_by TEXT NOT NULL DEFAULT '',
  -- Why nothing was attempted.
  refusal TEXT NOT NULL DEFAULT '',
  hold_until INTEGER NOT NULL,
  next_check_at INTEGER,
  checks INTEGER NOT NULL DEFAULT 0,
  empty_checks INTEGER NOT NULL DEFAULT 0,
  -- When the gateway was last asked what became of it.
  checked_at INTEGER,
  created_at INTEGER NOT NULL,
  -- The hub's time zone when it was made, and the local day on which that was.
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  day TEXT NOT NULL DEFAULT '',
  settled_at INTEGER
) STRICT;

-- The lock: one live attempt per invoice and collection, claimed by INSERT before the gateway is called. An attempt before
-- a person (needs_human) is refused to newcomers by the claim itself: one that was released and then turns out to have been
-- charged must be able to get there although the payer has paid again meanwhile.
CREATE UNIQUE INDEX payment_attempts_one_live ON payment_attempts (hub_id, invoice_id, collection)
  WHERE state IN ('sent', 'unknown', 'pending', 'approved');
-- The same card token is the same attempt for ever.
CREATE UNIQUE INDEX payment_attempts_token ON payment_attempts (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX payment_attempts_invoice ON payment_attempts (hub_id, invoice_id);
CREATE INDEX payment_attempts_due ON payment_attempts (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX payment_attempts_link ON payment_attempts (pay_id, created_at);
CREATE INDEX payment_attempts_ip ON payment_attempts (ip_key, created_at);
CREATE INDEX payment_attempts_hub ON payment_attempts (hub_id, created_at);
CREATE INDEX payment_attempts_desk ON payment_attempts (hub_id, terminal_id, created_at) WHERE channel = 'terminal';

-- Payments of which nobody knows the outcome yet.
CREATE INDEX payment_attempts_undecided ON payment_attempts (hub_id, state, terminal_id)
  WHERE state IN ('sent', 'unknown', 'needs_human');

-- What a payer told us, once the payment has an end; and the hashed address, which only limits of an hour ask for.
CREATE INDEX payment_attempts_with_payer ON payment_attempts (settled_at)
  WHERE signature_key IS NOT NULL OR payer_first_name || payer_last_name || payer_address || payer_address2
    || payer_city || payer_state || payer_zip || receipt_to || started_by <> '';
CREATE INDEX payment_attempts_with_ip ON payment_attempts (created_at) WHERE ip_key <> '';

CREATE TRIGGER payment_attempts_moves BEFORE UPDATE OF state ON payment_attempts
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent'
      AND NEW.state IN ('approved', 'declined', 'rejected', 'pending', 'unknown', 'cancelled', 'timed_out'))
  OR (OLD.state = 'unknown'
      AND NEW.state IN ('approved', 'declined', 'pending', 'not_charged', 'needs_human', 'cancelled', 'timed_out'))
  OR (OLD.state = 'pending' AND NEW.state IN ('approved', 'returned'))
  OR (OLD.state IN ('not_charged', 'cancelled', 'timed_out') AND NEW.state = 'needs_human')
  -- A person looked at it and said, with a note, what it was.
  OR (OLD.state = 'needs_human' AND NEW.state IN ('approved', 'not_charged', 'voided'))
  OR (OLD.state = 'approved' AND NEW.state IN ('voided', 'refunded', 'returned'))
)
BEGIN
  SELECT RAISE(ABORT, 'this payment cannot move to that state');
END;

CREATE TABLE ledger (
  hub_id INTEGER NOT NULL,
  provider_txn_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  invoice_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund', 'void', 'return')),
  amount_cents INTEGER NOT NULL,
  currency TEXT NOT NULL,
  channel TEXT NOT NULL,
  method TEXT NOT NULL,
  brand TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- `at` as a day of the hub (YYYY-MM-DD): SQL knows no time zones.
  day TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (hub_id, provider_txn_id)
) STRICT;
CREATE INDEX ledger_attempt ON ledger (attempt_id);
CREATE INDEX ledger_day ON ledger (hub_id, at);
CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER ledger_keeps_all BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;

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

-- Those that wait for a person: always few.
CREATE INDEX reversals_undecided ON reversals (hub_id, created_at) WHERE state = 'needs_human';
CREATE INDEX reversals_with_reason ON reversals (created_at) WHERE reason <> '';

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

-- What a person found out of a payment that no program could decide.
CREATE TABLE resolutions (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  verdict TEXT NOT NULL CHECK (verdict IN ('charged', 'not-charged')),
  note TEXT NOT NULL,
  resolved_by INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX resolutions_hub ON resolutions (hub_id, at);
CREATE INDEX resolutions_attempt ON resolutions (attempt_id);
CREATE INDEX resolutions_at ON resolutions (at);

-- What a person found out of a void or refund that no program could decide. One that was decided may come back, so that it
-- may have several.
CREATE TABLE reversal_resolutions (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  reversal_id TEXT NOT NULL REFERENCES reversals (id),
  verdict TEXT NOT NULL CHECK (verdict IN ('happened', 'not-happened')),
  note TEXT NOT NULL,
  resolved_by INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX reversal_resolutions_hub ON reversal_resolutions (hub_id, at);
CREATE INDEX reversal_resolutions_at ON reversal_resolutions (at);

-- A signature that a clinic took on the printed invoice itself, without a payment. The image lies in the bucket.
CREATE TABLE invoice_signatures (
  hub_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  image_key TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  saved_by INTEGER NOT NULL,
  PRIMARY KEY (hub_id, invoice_id),
  FOREIGN KEY (hub_id, invoice_id) REFERENCES invoices (hub_id, invoice_id)
) STRICT;
CREATE INDEX invoice_signatures_saved ON invoice_signatures (saved_at);

-- Mails that are owed; written in the batch of what they tell of, sent afterwards, once per id. What a mail says is made
-- of the rows that it points to when it is sent; `details` (JSON) holds what no row does, capabilities sealed.
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  recipient TEXT NOT NULL,
  hub_id INTEGER,
  attempt_id TEXT REFERENCES payment_attempts (id),
  invoice_id TEXT,
  details TEXT NOT NULL DEFAULT '{}',
  state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'failed')),
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  sent_at INTEGER
) STRICT;
CREATE INDEX outbox_due ON outbox (next_try_at) WHERE state = 'due';
CREATE INDEX outbox_invoice ON outbox (hub_id, invoice_id, created_at) WHERE invoice_id IS NOT NULL;
CREATE INDEX outbox_done ON outbox (created_at) WHERE state <> 'due';
CREATE INDEX outbox_done_with_details ON outbox (sent_at) WHERE state <> 'due' AND details <> '{}';
-- Mails that were given up, which are few among all that were sent.
CREATE INDEX outbox_failed ON outbox (created_at) WHERE state = 'failed';
