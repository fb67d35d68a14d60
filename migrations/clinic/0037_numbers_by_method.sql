-- The card provider numbers card transactions and bank debits apart, so one number may name one of each. Both tables are made
-- anew with the method in their key; SQLite cannot change a key.

CREATE TABLE ledger_before AS SELECT rowid AS seq, * FROM ledger;
DROP TABLE ledger;
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
  -- `at` as an hour of the hub (0 to 23), of payments. NULL: booked before this was kept.
  hour INTEGER,
  PRIMARY KEY (hub_id, provider_txn_id, method)
) STRICT;
INSERT INTO ledger (rowid, hub_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method,
    brand, at, day, hour)
  SELECT seq, hub_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method,
    brand, at, day, hour FROM ledger_before ORDER BY seq;
DROP TABLE ledger_before;
CREATE INDEX ledger_attempt ON ledger (attempt_id);
CREATE INDEX ledger_day ON ledger (hub_id, at);

CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER ledger_keeps_all BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;

-- As before; the number of an entry is looked for with its payment.
CREATE TRIGGER ledger_adds_to_day AFTER INSERT ON ledger
WHEN NEW.kind <> 'void'
  AND NOT EXISTS (SELECT 1 FROM ledger gone WHERE gone.attempt_id = NEW.attempt_id AND gone.kind = 'void') BEGIN
  INSERT INTO daily_totals (hub_id, day) VALUES (NEW.hub_id, NEW.day) ON CONFLICT (hub_id, day) DO NOTHING;
  UPDATE daily_totals
  SET net_cents = net_cents + NEW.amount_cents,
    refund_cents = refund_cents - iif(NEW.kind = 'payment', 0, NEW.amount_cents),
    refunds = refunds + iif(NEW.kind = 'payment', 0, 1),
    hours = iif(NEW.kind = 'payment' AND NEW.hour IS NOT NULL,
      json_set(hours, '$."' || NEW.hour || '"', ifnull(json_extract(hours, '$."' || NEW.hour || '"'), 0) + 1), hours)
  WHERE hub_id = NEW.hub_id AND day = NEW.day;
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', ifnull(json_extract(methods, '$."' || paid.method || '"'), 0) + 1)
  FROM payments_by_method AS paid
  WHERE paid.hub_id = NEW.hub_id AND paid.provider_txn_id = NEW.provider_txn_id AND paid.attempt_id = NEW.attempt_id
    AND daily_totals.hub_id = NEW.hub_id AND daily_totals.day = NEW.day;
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
  WHERE paid.attempt_id = NEW.attempt_id AND daily_totals.hub_id = paid.hub_id AND daily_totals.day = paid.day;
  UPDATE daily_totals
  SET net_cents = net_cents - moved.cents, refund_cents = refund_cents - moved.back_cents, refunds = refunds - moved.backs
  FROM (SELECT hub_id, day, sum(amount_cents) AS cents, -sum(iif(kind = 'payment', 0, amount_cents)) AS back_cents,
      sum(kind <> 'payment') AS backs
    FROM ledger WHERE attempt_id = NEW.attempt_id AND kind <> 'void' GROUP BY hub_id, day) AS moved
  WHERE daily_totals.hub_id = moved.hub_id AND daily_totals.day = moved.day;
END;

CREATE TRIGGER ledger_owes_the_crm AFTER INSERT ON ledger
WHEN (NEW.kind = 'payment' AND EXISTS (SELECT 1 FROM crm_write_settings WHERE hub_id = NEW.hub_id AND is_on = 1))
  OR (NEW.kind <> 'payment' AND EXISTS (SELECT 1 FROM crm_writes WHERE attempt_id = NEW.attempt_id AND kind = 'payment'))
BEGIN
  INSERT INTO crm_writes (id, hub_id, invoice_id, attempt_id, kind, amount_cents, state, next_try_at, created_at)
  VALUES (
    iif(NEW.kind = 'payment', 'pay-' || NEW.attempt_id, 'rev-' || NEW.attempt_id || '-' || NEW.provider_txn_id),
    NEW.hub_id, NEW.invoice_id, NEW.attempt_id, iif(NEW.kind = 'payment', 'payment', 'reversal'),
    abs(NEW.amount_cents), 'due', NEW.at, NEW.at)
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER ledger_owes_notices AFTER INSERT ON ledger WHEN NEW.kind = 'payment' AND NEW.channel = 'link' BEGIN
  INSERT INTO outbox (id, kind, recipient, hub_id, attempt_id, invoice_id, details, next_try_at, created_at)
  SELECT 'notice-' || NEW.attempt_id || '-' || n.user_id, 'payment-notice', u.email, NEW.hub_id, NEW.attempt_id,
    NEW.invoice_id, json_object('user', CAST(n.user_id AS TEXT)), NEW.at, NEW.at
  FROM payment_notices n JOIN users u ON u.hub_id = n.hub_id AND u.user_id = n.user_id
  WHERE n.hub_id = NEW.hub_id AND n.how = 'at-once' AND u.removed_at IS NULL AND u.email <> ''
    AND NOT EXISTS (SELECT 1 FROM hubs WHERE hub_id = NEW.hub_id AND closes_at IS NOT NULL)
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER ledger_customer_paid AFTER INSERT ON ledger WHEN NEW.kind = 'payment' BEGIN
  UPDATE contacts SET last_paid_at = max(last_paid_at, NEW.at) FROM invoices i
    WHERE i.hub_id = NEW.hub_id AND i.invoice_id = NEW.invoice_id AND i.gone_at IS NULL
      AND contacts.hub_id = i.hub_id AND contacts.contact_id = i.contact_id;
END;

CREATE TRIGGER ledger_customer_unpaid AFTER INSERT ON ledger WHEN NEW.kind IN ('void', 'return') BEGIN
  UPDATE contacts SET last_paid_at = s.last_paid_at FROM ledger p, invoices i, customer_sums s
    WHERE p.attempt_id = NEW.attempt_id AND p.kind = 'payment'
      AND i.hub_id = NEW.hub_id AND i.invoice_id = NEW.invoice_id
      AND contacts.hub_id = i.hub_id AND contacts.contact_id = i.contact_id AND contacts.last_paid_at <= p.at
      AND s.doc = contacts.rowid;
END;

CREATE TABLE gateway_transactions_before AS SELECT rowid AS seq, * FROM gateway_transactions;
DROP TABLE gateway_transactions;
CREATE TABLE gateway_transactions (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  provider_txn_id TEXT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('card', 'ach')),
  terminal_id TEXT NOT NULL,
  -- Empty for what is in no batch.
  batch_id TEXT NOT NULL,
  -- In the gateway's words: SALE, REFUND, VOID, DEBIT...
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  is_voided INTEGER NOT NULL,
  amount_cents INTEGER,
  -- What it moved in the end: money taken in is positive, given back negative, 0 where none moved; null: not decided yet.
  effect_cents INTEGER,
  order_id TEXT NOT NULL,
  parent_id TEXT NOT NULL,
  -- The gateway's `invoice`.
  dedupe_key TEXT NOT NULL,
  card TEXT NOT NULL,
  payer TEXT NOT NULL,
  at INTEGER,
  seen_at INTEGER NOT NULL,
  -- As of seen_at. 'earlier': from before this merchant's terminals were ours.
  verdict TEXT NOT NULL DEFAULT 'none'
    CHECK (verdict IN ('none', 'earlier', 'matched', 'only-gateway', 'amount-differs')),
  PRIMARY KEY (hub_id, provider_txn_id, method)
) STRICT;
INSERT INTO gateway_transactions (rowid, hub_id, provider_txn_id, method, terminal_id, batch_id, kind, state, is_voided, amount_cents, effect_cents,
    order_id, parent_id, dedupe_key, card, payer, at, seen_at, verdict)
  SELECT seq, hub_id, provider_txn_id, method, terminal_id, batch_id, kind, state, is_voided, amount_cents, effect_cents,
    order_id, parent_id, dedupe_key, card, payer, at, seen_at, verdict FROM gateway_transactions_before ORDER BY seq;
DROP TABLE gateway_transactions_before;
CREATE INDEX gateway_transactions_batch ON gateway_transactions (hub_id, batch_id);
CREATE INDEX gateway_transactions_open ON gateway_transactions (hub_id, at)
  WHERE verdict IN ('only-gateway', 'amount-differs');
CREATE INDEX gateway_transactions_parent ON gateway_transactions (hub_id, parent_id) WHERE parent_id <> '';
CREATE INDEX gateway_transactions_with_payer ON gateway_transactions (at) WHERE payer <> '';
CREATE INDEX gateway_transactions_without_payer ON gateway_transactions (at) WHERE payer = '';
-- Card transactions that a void may still take back; worker/data/reconciliation/unsettled.ts asks which are not settled.
CREATE INDEX gateway_transactions_voidable ON gateway_transactions (hub_id, at)
WHERE method = 'card' AND state = 'approved' AND is_voided = 0;
