-- Times are UTC milliseconds, money is integer minor units. STRICT refuses 12.5 in an integer column.

CREATE TABLE hubs (
  hub_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  domain TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  phone TEXT NOT NULL DEFAULT '',
  email TEXT NOT NULL DEFAULT '',
  connected_at INTEGER NOT NULL
) STRICT;

CREATE TABLE crm_tokens (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
  access_token TEXT NOT NULL,
  refresh_token TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  scopes TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  lease_until INTEGER NOT NULL DEFAULT 0,
  revoked_at INTEGER
) STRICT;

CREATE TABLE terminals (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  terminal_id TEXT NOT NULL,
  name TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('ecommerce', 'counter')),
  public_key TEXT NOT NULL,
  api_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, terminal_id)
) STRICT;

-- The last copy of a CRM invoice with its contact and company, and our overlay on it. CRM ids are only safe with the hub.
CREATE TABLE invoices (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  invoice_id TEXT NOT NULL,
  number TEXT NOT NULL,
  status TEXT NOT NULL,
  currency TEXT NOT NULL,
  balance_cents INTEGER,
  billed_cents INTEGER,
  due_date TEXT,
  invoice_date TEXT,
  contact_id TEXT NOT NULL DEFAULT '',
  contact_first_name TEXT NOT NULL DEFAULT '',
  contact_last_name TEXT NOT NULL DEFAULT '',
  contact_email TEXT NOT NULL DEFAULT '',
  company_id TEXT NOT NULL DEFAULT '',
  company_name TEXT NOT NULL DEFAULT '',
  company_address TEXT NOT NULL DEFAULT '',
  company_city TEXT NOT NULL DEFAULT '',
  company_state TEXT NOT NULL DEFAULT '',
  company_zip TEXT NOT NULL DEFAULT '',
  -- When the CRM made and last changed it.
  created_at INTEGER NOT NULL DEFAULT 0,
  modified_at INTEGER NOT NULL DEFAULT 0,
  read_at INTEGER NOT NULL,
  -- The last full pass over the CRM that met this invoice, and when one no longer did.
  seen_pass INTEGER NOT NULL DEFAULT 0,
  gone_at INTEGER,
  -- Which collection of this invoice is under way; a merchant's "collect again" opens the next one.
  collection INTEGER NOT NULL DEFAULT 1,
  -- What our ledger says of that collection; it lies over whatever the CRM says.
  overlay TEXT NOT NULL DEFAULT 'none' CHECK (overlay IN ('none', 'submitted', 'paid', 'refunded', 'voided', 'returned')),
  -- What lists show and sort by: ours over the CRM's.
  shown_status TEXT GENERATED ALWAYS AS (CASE overlay WHEN 'none' THEN status ELSE overlay END) VIRTUAL,
  shown_balance_cents INTEGER GENERATED ALWAYS AS (CASE overlay WHEN 'paid' THEN 0 ELSE balance_cents END) VIRTUAL,
  -- The CRM's ids are decimal numbers; they sort as such.
  id_number INTEGER GENERATED ALWAYS AS (CAST(invoice_id AS INTEGER)) VIRTUAL,
  PRIMARY KEY (hub_id, invoice_id)
) STRICT;

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
  hold_until INTEGER NOT NULL,
  next_check_at INTEGER,
  checks INTEGER NOT NULL DEFAULT 0,
  empty_checks INTEGER NOT NULL DEFAULT 0,
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
