-- These tables hold pay links, collections, payment attempts and the ledger; their triggers guard the money rules.

CREATE TABLE pay_links (
  pay_id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'revoked', 'ended')),
  issued_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  -- As of this time (UTC ms) the link no longer works; until then, staff can withdraw the revocation.
  revoke_at INTEGER,
  FOREIGN KEY (account_id, invoice_id) REFERENCES invoices (account_id, invoice_id)
) STRICT;
CREATE UNIQUE INDEX pay_links_one_live ON pay_links (account_id, invoice_id) WHERE state = 'live';
CREATE INDEX pay_links_end ON pay_links (ends_at);
-- All links of an invoice: without this index, deleting an invoice would search all links.
CREATE INDEX pay_links_invoice ON pay_links (account_id, invoice_id);
CREATE INDEX pay_links_to_revoke ON pay_links (revoke_at) WHERE state = 'live' AND revoke_at IS NOT NULL;

-- Views of the pay page by a person, reported once per load by the page's own script.
CREATE TABLE page_views (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  invoice_id TEXT NOT NULL,
  load_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (account_id, invoice_id, load_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX page_views_at ON page_views (at);

-- Collections in installments. The base never changes: the open balance is the base minus approved installments, and
-- the CRM's balance is only used for comparison. A collection without a row is due in one payment.
CREATE TABLE collections (
  account_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  base_cents INTEGER NOT NULL CHECK (base_cents > 0),
  -- Smallest installment. Each installment leaves at least this amount open, or nothing.
  min_cents INTEGER NOT NULL CHECK (min_cents BETWEEN 1 AND base_cents),
  -- First installment that the pay page suggests; NULL: none.
  deposit_cents INTEGER CHECK (deposit_cents BETWEEN min_cents AND base_cents - min_cents),
  max_installments INTEGER NOT NULL CHECK (max_installments BETWEEN 1 AND 12),
  -- Cents paid in installments before this collection; they are not included in its base.
  paid_before_cents INTEGER NOT NULL DEFAULT 0 CHECK (paid_before_cents >= 0),
  -- The CRM's balance and billed amount in the request that opened the collection.
  crm_balance_cents INTEGER NOT NULL,
  crm_billed_cents INTEGER,
  -- 'frozen': the CRM has shown a different amount, and staff decide; 'closed': it accepts no more payments.
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'frozen', 'closed')),
  opened_by INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  -- The CRM's balance at the time of the freeze; NULL: the CRM showed none.
  frozen_balance_cents INTEGER,
  frozen_at INTEGER,
  -- Cents taken in earlier collections when this one was opened; refunds are not deducted unless their amount was due
  -- again. If one of their payments is voided or returned later, its amount is due again, like a payment in this
  -- collection.
  taken_before_cents INTEGER NOT NULL DEFAULT 0 CHECK (taken_before_cents >= 0),
  PRIMARY KEY (account_id, invoice_id, n),
  FOREIGN KEY (account_id, invoice_id) REFERENCES invoices (account_id, invoice_id)
) STRICT;
CREATE INDEX collections_frozen ON collections (account_id, frozen_at) WHERE state = 'frozen';

CREATE TABLE payment_attempts (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  collection INTEGER NOT NULL,
  pay_id TEXT,
  terminal_id TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('link', 'terminal')),
  method TEXT NOT NULL CHECK (method IN ('card', 'ach')),
  -- Digital wallet that held the card; empty: the payer typed the card, presented it, or used a bank account.
  wallet TEXT NOT NULL DEFAULT '',
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  currency TEXT NOT NULL,
  invoice_number TEXT NOT NULL,
  dedupe_key TEXT NOT NULL,
  attempt_key TEXT,
  token_hash TEXT,
  receipt_id TEXT NOT NULL UNIQUE,
  receipt_to TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT 'sent',
  -- State before needs_human. Without a decision by staff, only an attempt that was never released ('unknown' or
  -- 'pending') may leave needs_human, and only on the facts that worker/domain/payments/resolve-automatically.ts
  -- requires.
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
  -- Results of the address and security-code checks, as the card provider codes them; empty: none reported.
  avs_result TEXT NOT NULL DEFAULT '',
  csc_result TEXT NOT NULL DEFAULT '',
  fee_cents INTEGER,
  -- Cents refunded or voided; never more than the payment.
  refunded_cents INTEGER NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  -- Person who started the sale at the desk.
  started_by TEXT NOT NULL DEFAULT '',
  -- Reason why the gateway attempted no charge.
  refusal TEXT NOT NULL DEFAULT '',
  hold_until INTEGER NOT NULL,
  next_check_at INTEGER,
  checks INTEGER NOT NULL DEFAULT 0,
  empty_checks INTEGER NOT NULL DEFAULT 0,
  -- Time of the last status inquiry.
  checked_at INTEGER,
  created_at INTEGER NOT NULL,
  -- The account's time zone at creation, and the local day of creation.
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  day TEXT NOT NULL DEFAULT '',
  settled_at INTEGER,
  -- Kind of signature: name typed or drawn, or sentence ticked; empty: at a terminal, or before this was stored.
  signed_by TEXT NOT NULL DEFAULT '' CHECK (signed_by IN ('', 'typed', 'drawn', 'ticked')),
  -- Text of the signature: the typed name or the ticked sentence. The signature has the time of the attempt.
  signed_words TEXT NOT NULL DEFAULT '',
  -- Customer named on the invoice at the time of payment; the payer may be someone else.
  billed_to TEXT NOT NULL DEFAULT '',
  -- Language of the payer's page, for emails about this payment; empty: at a terminal, or before this was stored.
  payer_language TEXT NOT NULL DEFAULT '',
  -- Line items that this payment paid: a later collection may have others.
  bill_lines TEXT NOT NULL DEFAULT '',
  -- Number of the installment within its collection. A payment in full is number 1.
  part INTEGER NOT NULL DEFAULT 1 CHECK (part BETWEEN 1 AND 99),
  -- 1: the gateway may still count a charge under this attempt's dedupe key, although the clinic has no money from it:
  -- staff released it, or a bank debit failed.
  key_spent INTEGER NOT NULL DEFAULT 0 CHECK (key_spent IN (0, 1)),
  -- Cents refunded while the invoice still accepted installments: they are due again, and do not count as taken. A
  -- refund after the last installment leaves the invoice paid until staff reopen it.
  owed_again_cents INTEGER NOT NULL DEFAULT 0
    CHECK (owed_again_cents BETWEEN 0 AND amount_cents)
) STRICT;
-- A card token belongs to one attempt forever.
CREATE UNIQUE INDEX payment_attempts_token ON payment_attempts (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX payment_attempts_invoice ON payment_attempts (account_id, invoice_id);
CREATE INDEX payment_attempts_due ON payment_attempts (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX payment_attempts_link ON payment_attempts (pay_id, created_at);
CREATE INDEX payment_attempts_ip ON payment_attempts (ip_key, created_at);
CREATE INDEX payment_attempts_hub ON payment_attempts (account_id, created_at);
CREATE INDEX payment_attempts_desk ON payment_attempts (account_id, terminal_id, created_at) WHERE channel = 'terminal';
-- Payments with an unknown outcome.
CREATE INDEX payment_attempts_undecided ON payment_attempts (account_id, state, terminal_id)
  WHERE state IN ('sent', 'unknown', 'needs_human');
-- Data from payers, once the payment has ended; and hashed network addresses, which only hourly limits use.
CREATE INDEX payment_attempts_with_payer ON payment_attempts (settled_at)
  WHERE signature_key IS NOT NULL OR payer_first_name || payer_last_name || payer_address || payer_address2
    || payer_city || payer_state || payer_zip || receipt_to || started_by <> '';
CREATE INDEX payment_attempts_with_ip ON payment_attempts (created_at) WHERE ip_key <> '';
CREATE UNIQUE INDEX payment_attempts_one_live ON payment_attempts (account_id, invoice_id, collection, part)
  WHERE state IN ('sent', 'unknown', 'pending', 'approved');
CREATE UNIQUE INDEX payment_attempts_in_flight ON payment_attempts (account_id, invoice_id, collection)
  WHERE state IN ('sent', 'unknown', 'pending');
-- Payments that the payer's bank returned. Those that were booked before are in the ledger.
CREATE INDEX payment_attempts_returned ON payment_attempts (account_id, created_at) WHERE state = 'returned';

-- Card tokens whose payer was told that nothing was charged: a second request with such a token claims nothing.
CREATE TABLE refused_tokens (
  token_hash TEXT NOT NULL PRIMARY KEY,
  refused_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX refused_tokens_at ON refused_tokens (refused_at);

-- Form keys whose sender was told that nothing was charged or started: a request with such a key claims nothing.
CREATE TABLE refused_keys (
  account_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  attempt_key TEXT NOT NULL,
  refused_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, invoice_id, attempt_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX refused_keys_at ON refused_keys (refused_at);

CREATE TABLE ledger (
  account_id INTEGER NOT NULL,
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
  -- `at` as a local day of the account (YYYY-MM-DD), because SQLite does not support time zones.
  day TEXT NOT NULL DEFAULT '',
  -- `at` as a local hour of the account (0 to 23), for payments. NULL: booked before this was stored.
  hour INTEGER,
  -- 1: corrects a booked refund, such as one voided at the card provider. It moves money, but is not a refund itself.
  corrects INTEGER NOT NULL DEFAULT 0 CHECK (corrects IN (0, 1)),
  PRIMARY KEY (account_id, provider_txn_id, method)
) STRICT;
CREATE INDEX ledger_attempt ON ledger (attempt_id);
CREATE INDEX ledger_day ON ledger (account_id, at);

-- Takings of an account per local day, updated as payments settle: a year of analytics is one row per day, regardless
-- of the number of payments. The triggers cover every way in which money or a state can change.
CREATE TABLE daily_totals (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  day TEXT NOT NULL,
  -- Payments minus refunds and returns of that day.
  net_cents INTEGER NOT NULL DEFAULT 0,
  -- Approved payments by method, and attempts by final state: JSON objects of counts.
  methods TEXT NOT NULL DEFAULT '{}',
  statuses TEXT NOT NULL DEFAULT '{}',
  -- Refunds and returns of that day: cents (never negative) and count.
  refund_cents INTEGER NOT NULL DEFAULT 0,
  refunds INTEGER NOT NULL DEFAULT 0,
  -- Payments that were not voided, by booking hour: a JSON object of counts.
  hours TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;

-- Signatures that a clinic took on the printed invoice itself, without a payment. The image is in the bucket.
CREATE TABLE invoice_signatures (
  account_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  image_key TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  saved_by INTEGER NOT NULL,
  PRIMARY KEY (account_id, invoice_id),
  FOREIGN KEY (account_id, invoice_id) REFERENCES invoices (account_id, invoice_id)
) STRICT;
CREATE INDEX invoice_signatures_saved ON invoice_signatures (saved_at);

CREATE VIEW payments_by_method AS
SELECT account_id, provider_txn_id, attempt_id, day, CASE
  WHEN method = 'ach' THEN 'Bank account'
  WHEN upper(brand) = 'VISA' THEN 'Visa'
  WHEN upper(brand) IN ('MASTERCARD', 'MASTER CARD', 'MC') THEN 'Mastercard'
  WHEN upper(brand) IN ('AMEX', 'AMERICAN EXPRESS', 'AMERICANEXPRESS') THEN 'American Express'
  WHEN upper(brand) = 'DISCOVER' THEN 'Discover'
  ELSE 'Other card' END AS method, hour
FROM ledger WHERE kind = 'payment';

CREATE VIEW collection_sums AS
  SELECT c.account_id, c.invoice_id, c.n, c.paid_before_cents + c.base_cents AS base_cents,
    coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
      WHERE a.account_id = c.account_id AND a.invoice_id = c.invoice_id AND a.state = 'approved'), 0) AS paid_cents,
    coalesce((SELECT max(a.part) FROM payment_attempts a
      WHERE a.account_id = c.account_id AND a.invoice_id = c.invoice_id AND a.collection = c.n
        AND (a.state IN ('approved', 'voided', 'refunded', 'returned') OR a.key_spent = 1)), 0) AS taken
  FROM collections c;

CREATE VIEW invoice_sums AS
SELECT i.rowid AS doc, i.account_id, i.invoice_id, i.collection,
  c.paid_before_cents + c.base_cents AS base_cents,
  c.taken_before_cents + c.base_cents AS to_take_cents,
  -- Approved payments minus their refunds, in every collection.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.account_id = i.account_id AND a.invoice_id = i.invoice_id AND a.state = 'approved'), 0) AS kept_cents,
  -- Payments neither voided nor returned, minus the amounts due again, in every collection.
  coalesce((SELECT sum(a.amount_cents - a.owed_again_cents) FROM payment_attempts a
    WHERE a.account_id = i.account_id AND a.invoice_id = i.invoice_id AND a.state IN ('approved', 'refunded')), 0) AS taken_cents,
  -- Approved payments minus their refunds, in the current collection.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.account_id = i.account_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state = 'approved'), 0) AS left_cents,
  coalesce((SELECT sum(a.refunded_cents) FROM payment_attempts a
    WHERE a.account_id = i.account_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection), 0) AS given_back_cents,
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.account_id = i.account_id AND a.invoice_id = i.invoice_id
    AND a.collection = i.collection AND a.state = 'refunded') AS has_refunded,
  -- An accepted bank debit, even while it needs review by staff.
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.account_id = i.account_id AND a.invoice_id = i.invoice_id
    AND (a.state = 'pending' OR (a.state = 'needs_human' AND a.needs_human_from = 'pending'))) AS has_pending,
  -- Final state of the booked payment of a collection that is due in one payment; NULL: it has not ended.
  (SELECT a.state FROM payment_attempts a
    WHERE a.account_id = i.account_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state IN ('voided', 'refunded', 'returned')
      AND EXISTS (SELECT 1 FROM ledger l WHERE l.attempt_id = a.id AND l.kind = 'payment')
    ORDER BY a.settled_at DESC, a.id DESC LIMIT 1) AS ended_as
FROM invoices i
LEFT JOIN collections c ON c.account_id = i.account_id AND c.invoice_id = i.invoice_id AND c.n = i.collection;

CREATE VIEW invoice_labels AS
SELECT s.*, CASE
    WHEN s.base_cents IS NOT NULL THEN CASE
      WHEN s.kept_cents >= s.base_cents THEN 'paid'
      WHEN s.taken_cents < s.to_take_cents THEN 'none'
      WHEN s.left_cents > 0 THEN 'paid'
      WHEN s.has_refunded THEN 'refunded'
      ELSE 'none' END
    WHEN s.kept_cents > 0 THEN 'paid'
    WHEN s.has_pending THEN 'submitted'
    ELSE coalesce(s.ended_as, 'none') END AS label
FROM invoice_sums s;

CREATE VIEW counted_entries AS
SELECT * FROM ledger AS l
WHERE l.kind <> 'void' AND NOT EXISTS (SELECT 1 FROM ledger gone WHERE gone.attempt_id = l.attempt_id AND gone.kind = 'void');

-- An attempt counts on the day of its creation, under its final state; a new final state moves the count.
CREATE TRIGGER attempts_leave_their_state AFTER UPDATE OF state ON payment_attempts
WHEN OLD.state <> NEW.state AND OLD.state NOT IN ('sent', 'unknown', 'pending', 'needs_human') BEGIN
  UPDATE daily_totals SET statuses = json_set(statuses, '$.' || OLD.state, json_extract(statuses, '$.' || OLD.state) - 1)
  WHERE account_id = OLD.account_id AND day = OLD.day;
END;

CREATE TRIGGER attempts_come_to_a_state AFTER UPDATE OF state ON payment_attempts
WHEN OLD.state <> NEW.state AND NEW.state NOT IN ('sent', 'unknown', 'pending', 'needs_human') BEGIN
  INSERT INTO daily_totals (account_id, day) VALUES (NEW.account_id, NEW.day) ON CONFLICT (account_id, day) DO NOTHING;
  UPDATE daily_totals
  SET statuses = json_set(statuses, '$.' || NEW.state, ifnull(json_extract(statuses, '$.' || NEW.state), 0) + 1)
  WHERE account_id = NEW.account_id AND day = NEW.day;
END;

CREATE TRIGGER collections_opened AFTER INSERT ON collections BEGIN
  UPDATE invoices SET local_status = b.label, collection_base_cents = b.base_cents, collection_paid_cents = b.kept_cents
    FROM invoice_labels b
    WHERE b.account_id = NEW.account_id AND b.invoice_id = NEW.invoice_id AND b.collection = NEW.n AND invoices.rowid = b.doc;
END;

CREATE TRIGGER ledger_keeps_all BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;

CREATE TRIGGER ledger_owes_the_crm AFTER INSERT ON ledger
WHEN (NEW.kind = 'payment' AND EXISTS (SELECT 1 FROM crm_write_settings WHERE account_id = NEW.account_id AND is_on = 1))
  OR (NEW.kind <> 'payment' AND EXISTS (SELECT 1 FROM crm_writes WHERE attempt_id = NEW.attempt_id AND kind = 'payment'))
BEGIN
  INSERT INTO crm_writes (id, account_id, invoice_id, attempt_id, kind, amount_cents, state, next_try_at, created_at)
  VALUES (
    iif(NEW.kind = 'payment', 'pay-' || NEW.attempt_id, 'rev-' || NEW.attempt_id || '-' || NEW.provider_txn_id),
    NEW.account_id, NEW.invoice_id, NEW.attempt_id, iif(NEW.kind = 'payment', 'payment', 'reversal'),
    abs(NEW.amount_cents), 'due', NEW.at, NEW.at)
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER ledger_owes_notices AFTER INSERT ON ledger WHEN NEW.kind = 'payment' AND NEW.channel = 'link' BEGIN
  INSERT INTO outbox (id, kind, recipient, account_id, attempt_id, invoice_id, details, next_try_at, created_at)
  SELECT 'notice-' || NEW.attempt_id || '-' || n.user_id, 'payment-notice', u.email, NEW.account_id, NEW.attempt_id,
    NEW.invoice_id, json_object('user', CAST(n.user_id AS TEXT)), NEW.at, NEW.at
  FROM payment_notices n JOIN users u ON u.account_id = n.account_id AND u.user_id = n.user_id
  WHERE n.account_id = NEW.account_id AND n.how = 'at-once' AND u.removed_at IS NULL AND u.email <> ''
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE account_id = NEW.account_id AND closes_at IS NOT NULL)
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER ledger_customer_paid AFTER INSERT ON ledger WHEN NEW.kind = 'payment' BEGIN
  UPDATE contacts SET last_paid_at = max(last_paid_at, NEW.at) FROM invoices i
    WHERE i.account_id = NEW.account_id AND i.invoice_id = NEW.invoice_id AND i.deleted_at IS NULL
      AND contacts.account_id = i.account_id AND contacts.contact_id = i.contact_id;
END;

CREATE TRIGGER ledger_customer_unpaid AFTER INSERT ON ledger WHEN NEW.kind IN ('void', 'return') BEGIN
  UPDATE contacts SET last_paid_at = s.last_paid_at FROM ledger p, invoices i, customer_sums s
    WHERE p.attempt_id = NEW.attempt_id AND p.kind = 'payment'
      AND i.account_id = NEW.account_id AND i.invoice_id = NEW.invoice_id
      AND contacts.account_id = i.account_id AND contacts.contact_id = i.contact_id AND contacts.last_paid_at <= p.at
      AND s.doc = contacts.rowid;
END;

-- An unsuccessful payment ends its form key in the same write: the payer, or staff at the desk, are informed that
-- nothing was charged, while an earlier submission of that form with another card may still be in flight.
CREATE TRIGGER payments_end_their_key AFTER UPDATE OF state ON payment_attempts
WHEN OLD.state <> NEW.state AND NEW.attempt_key IS NOT NULL
  AND NEW.state IN ('declined', 'rejected', 'not_charged', 'cancelled', 'timed_out', 'returned')
BEGIN
  INSERT INTO refused_keys (account_id, invoice_id, attempt_key, refused_at)
  VALUES (NEW.account_id, NEW.invoice_id, NEW.attempt_key, coalesce(NEW.settled_at, NEW.created_at))
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER collections_keep_their_base BEFORE UPDATE ON collections
WHEN (OLD.account_id, OLD.invoice_id, OLD.n, OLD.base_cents, OLD.min_cents, OLD.deposit_cents, OLD.max_installments,
    OLD.paid_before_cents, OLD.taken_before_cents, OLD.crm_balance_cents, OLD.crm_billed_cents, OLD.opened_by, OLD.opened_at)
  IS NOT (NEW.account_id, NEW.invoice_id, NEW.n, NEW.base_cents, NEW.min_cents, NEW.deposit_cents, NEW.max_installments,
    NEW.paid_before_cents, NEW.taken_before_cents, NEW.crm_balance_cents, NEW.crm_billed_cents, NEW.opened_by, NEW.opened_at)
  OR (OLD.state = 'closed' AND NEW.state <> 'closed') OR (OLD.state = 'frozen' AND NEW.state = 'open')
BEGIN
  SELECT RAISE(ABORT, 'what a collection was opened with never changes');
END;

CREATE TRIGGER claims_fit BEFORE INSERT ON payment_attempts
WHEN NEW.state = 'sent' AND (
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.account_id = NEW.account_id AND a.invoice_id = NEW.invoice_id
    AND (
      -- The unique indexes allow one payment in flight in the current collection; this checks the other collections.
      (a.state IN ('sent', 'unknown', 'pending') AND a.collection <> NEW.collection)
      -- A payment released as not charged may still turn out to be charged for a day. Under its key, the gateway
      -- accepts the same amount by the same method once, but charges any other again. A release by staff is trusted.
      OR (a.state = 'not_charged' AND a.settled_at > NEW.created_at - 86400000
        AND ((a.collection <> NEW.collection AND a.needs_human_from = '')
          OR (a.collection = NEW.collection AND a.part = NEW.part AND (a.amount_cents <> NEW.amount_cents OR a.method <> NEW.method))))))
  OR iif(
    EXISTS (SELECT 1 FROM collections c WHERE c.account_id = NEW.account_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection),
    NOT EXISTS (SELECT 1 FROM (
        SELECT c.*, s.taken, s.base_cents - s.paid_cents - NEW.amount_cents - coalesce((SELECT sum(a.amount_cents)
            FROM payment_attempts a WHERE a.account_id = c.account_id AND a.invoice_id = c.invoice_id
              AND a.state IN ('sent', 'unknown', 'pending')), 0) AS rest_cents,
          (SELECT count(*) FROM payment_attempts a WHERE a.account_id = c.account_id AND a.invoice_id = c.invoice_id
            AND a.collection = c.n AND a.state = 'approved') AS kept
        FROM collections c JOIN collection_sums s ON s.account_id = c.account_id AND s.invoice_id = c.invoice_id AND s.n = c.n
        WHERE c.account_id = NEW.account_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection) c
      WHERE c.state = 'open' AND NEW.method = 'card'
        AND NEW.part = 1 + c.taken
        AND (c.rest_cents = 0 OR (c.rest_cents >= c.min_cents AND NEW.amount_cents >= c.min_cents AND c.kept + 1 < c.max_installments))),
    NEW.part <> 1 OR EXISTS (SELECT 1 FROM payment_attempts a WHERE a.account_id = NEW.account_id AND a.invoice_id = NEW.invoice_id
      AND a.collection <> NEW.collection AND a.state = 'approved' AND a.amount_cents > a.refunded_cents)))
BEGIN
  SELECT RAISE(IGNORE);
END;

CREATE TRIGGER payments_change_balance AFTER UPDATE OF state, refunded_cents ON payment_attempts
WHEN (OLD.state, OLD.refunded_cents) <> (NEW.state, NEW.refunded_cents)
  AND (OLD.state IN ('pending', 'approved', 'needs_human') OR NEW.state IN ('pending', 'approved', 'voided', 'refunded', 'returned')) BEGIN
  UPDATE payment_attempts
    SET owed_again_cents = min(NEW.refunded_cents, owed_again_cents + iif(
      EXISTS (SELECT 1 FROM invoices i WHERE i.account_id = NEW.account_id AND i.invoice_id = NEW.invoice_id
        AND i.local_status = 'none' AND i.collection_base_cents IS NOT NULL),
      max(0, NEW.refunded_cents - OLD.refunded_cents), 0))
    WHERE id = NEW.id AND NEW.refunded_cents <> OLD.refunded_cents;
  UPDATE invoices SET local_status = b.label, given_back_cents = b.given_back_cents,
      collection_paid_cents = iif(b.base_cents IS NULL, 0, b.kept_cents)
    FROM invoice_labels b
    WHERE b.account_id = NEW.account_id AND b.invoice_id = NEW.invoice_id AND invoices.rowid = b.doc
      AND (invoices.local_status, invoices.given_back_cents, invoices.collection_paid_cents)
        IS NOT (b.label, b.given_back_cents, iif(b.base_cents IS NULL, 0, b.kept_cents));
END;

CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;

CREATE TRIGGER ledger_adds_to_day AFTER INSERT ON ledger
WHEN NEW.kind <> 'void'
  AND NOT EXISTS (SELECT 1 FROM ledger gone WHERE gone.attempt_id = NEW.attempt_id AND gone.kind = 'void') BEGIN
  INSERT INTO daily_totals (account_id, day) VALUES (NEW.account_id, NEW.day) ON CONFLICT (account_id, day) DO NOTHING;
  UPDATE daily_totals
  SET net_cents = net_cents + NEW.amount_cents,
    refund_cents = refund_cents - iif(NEW.kind = 'payment', 0, NEW.amount_cents),
    refunds = refunds + iif(NEW.kind = 'payment' OR NEW.corrects = 1, 0, 1),
    hours = iif(NEW.kind = 'payment' AND NEW.hour IS NOT NULL,
      json_set(hours, '$."' || NEW.hour || '"', ifnull(json_extract(hours, '$."' || NEW.hour || '"'), 0) + 1), hours)
  WHERE account_id = NEW.account_id AND day = NEW.day;
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', ifnull(json_extract(methods, '$."' || paid.method || '"'), 0) + 1)
  FROM payments_by_method AS paid
  WHERE paid.account_id = NEW.account_id AND paid.provider_txn_id = NEW.provider_txn_id AND paid.attempt_id = NEW.attempt_id
    AND daily_totals.account_id = NEW.account_id AND daily_totals.day = NEW.day;
END;

CREATE TRIGGER void_leaves_the_days_of_its_payment AFTER INSERT ON ledger
WHEN NEW.kind = 'void'
  AND NOT EXISTS (SELECT 1 FROM ledger gone
    WHERE gone.attempt_id = NEW.attempt_id AND gone.kind = 'void' AND gone.provider_txn_id <> NEW.provider_txn_id) BEGIN
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', json_extract(methods, '$."' || paid.method || '"') - 1),
    hours = iif(paid.hour IS NULL, hours,
      json_set(hours, '$."' || paid.hour || '"', json_extract(hours, '$."' || paid.hour || '"') - 1))
  FROM payments_by_method AS paid
  WHERE paid.attempt_id = NEW.attempt_id AND daily_totals.account_id = paid.account_id AND daily_totals.day = paid.day;
  UPDATE daily_totals
  SET net_cents = net_cents - moved.cents, refund_cents = refund_cents - moved.back_cents, refunds = refunds - moved.backs
  FROM (SELECT account_id, day, sum(amount_cents) AS cents, -sum(iif(kind = 'payment', 0, amount_cents)) AS back_cents,
      sum(kind <> 'payment' AND corrects = 0) AS backs
    FROM ledger WHERE attempt_id = NEW.attempt_id AND kind <> 'void' GROUP BY account_id, day) AS moved
  WHERE daily_totals.account_id = moved.account_id AND daily_totals.day = moved.day;
END;

CREATE TRIGGER payment_attempts_moves BEFORE UPDATE OF state ON payment_attempts
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent'
      AND NEW.state IN ('approved', 'declined', 'rejected', 'pending', 'unknown', 'cancelled', 'timed_out'))
  OR (OLD.state = 'unknown'
      AND NEW.state IN ('approved', 'declined', 'pending', 'not_charged', 'needs_human', 'cancelled', 'timed_out'))
  OR (OLD.state = 'pending' AND NEW.state IN ('approved', 'returned', 'needs_human'))
  OR (OLD.state IN ('not_charged', 'cancelled', 'timed_out', 'declined', 'rejected', 'returned') AND NEW.state = 'needs_human')
  -- Staff reviewed it and recorded the outcome with a note; or the gateway later reports the end of a bank debit.
  OR (OLD.state = 'needs_human' AND NEW.state IN ('approved', 'not_charged', 'voided'))
  OR (OLD.state = 'needs_human' AND NEW.state = 'returned' AND OLD.needs_human_from = 'pending')
  OR (OLD.state = 'approved' AND NEW.state IN ('voided', 'refunded', 'returned'))
  OR (OLD.state = 'refunded' AND NEW.state = 'approved' AND NEW.refunded_cents < NEW.amount_cents)
  OR (OLD.state = 'refunded' AND NEW.state = 'returned' AND OLD.method = 'ach')
)
BEGIN
  SELECT RAISE(ABORT, 'this payment cannot move to that state');
END;
