-- Closing a batch at the gateway has no name for the batch: it closes whichever is open. So the batch is claimed here first,
-- once, and the answer is kept for those who ask again.
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

-- The closes of a terminal: those under way, and the newest.
CREATE INDEX batch_closes_open ON batch_closes (hub_id, terminal_id, state)
  WHERE state IN ('sent', 'unknown', 'processing');
CREATE INDEX batch_closes_asked ON batch_closes (hub_id, terminal_id, asked_at);
CREATE INDEX batch_closes_ended ON batch_closes (hub_id, terminal_id, ended_at);

-- What the gateway itself shows of a merchant's transactions, as it was read last, and how that agrees with our ledger.
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
  PRIMARY KEY (hub_id, provider_txn_id)
) STRICT;

CREATE INDEX gateway_transactions_batch ON gateway_transactions (hub_id, batch_id);
CREATE INDEX gateway_transactions_open ON gateway_transactions (hub_id, at)
  WHERE verdict IN ('only-gateway', 'amount-differs');
CREATE INDEX gateway_transactions_parent ON gateway_transactions (hub_id, parent_id) WHERE parent_id <> '';
CREATE INDEX gateway_transactions_with_payer ON gateway_transactions (at) WHERE payer <> '';
CREATE INDEX gateway_transactions_without_payer ON gateway_transactions (at) WHERE payer = '';

-- How far the gateway's transactions of a merchant were read, by method.
CREATE TABLE match_marks (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  method TEXT NOT NULL CHECK (method IN ('card', 'ach')),
  -- What lies between these two was read to its end at least once.
  read_from INTEGER NOT NULL,
  read_until INTEGER NOT NULL,
  -- Where a run that is not at its end goes on.
  resume_from INTEGER,
  next_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER,
  failing_since INTEGER,
  PRIMARY KEY (hub_id, method)
) STRICT;
CREATE INDEX match_marks_due ON match_marks (next_at);

-- What a hub took in on each of its local days, kept as payments settle: a year of analytics is one row a day, however many
-- payments there were. The triggers see every way in which money or a state can change.
CREATE TABLE daily_totals (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  day TEXT NOT NULL,
  -- Payments less what was given back on that day.
  net_cents INTEGER NOT NULL DEFAULT 0,
  -- Approved payments by how they were paid, and attempts by how they ended: JSON objects of counts.
  methods TEXT NOT NULL DEFAULT '{}',
  statuses TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (hub_id, day)
) STRICT;

-- Under a short list of names: the gateway's own words may be anything.
CREATE VIEW payments_by_method AS
SELECT hub_id, provider_txn_id, attempt_id, day, CASE
  WHEN method = 'ach' THEN 'Bank account'
  WHEN upper(brand) = 'VISA' THEN 'Visa'
  WHEN upper(brand) IN ('MASTERCARD', 'MASTER CARD', 'MC') THEN 'Mastercard'
  WHEN upper(brand) IN ('AMEX', 'AMERICAN EXPRESS', 'AMERICANEXPRESS') THEN 'American Express'
  WHEN upper(brand) = 'DISCOVER' THEN 'Discover'
  ELSE 'Other card' END AS method
FROM ledger WHERE kind = 'payment';

-- A payment that was voided was never charged, so the figures of a day leave it out: its money and its method go from the
-- day of the payment, and the day of the void shows nothing. Refunds and returns lower the volume on their own day.
CREATE TRIGGER ledger_adds_to_day AFTER INSERT ON ledger WHEN NEW.kind <> 'void' BEGIN
  INSERT INTO daily_totals (hub_id, day) VALUES (NEW.hub_id, NEW.day) ON CONFLICT (hub_id, day) DO NOTHING;
  UPDATE daily_totals SET net_cents = net_cents + NEW.amount_cents WHERE hub_id = NEW.hub_id AND day = NEW.day;
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', ifnull(json_extract(methods, '$."' || paid.method || '"'), 0) + 1)
  FROM payments_by_method AS paid
  WHERE paid.hub_id = NEW.hub_id AND paid.provider_txn_id = NEW.provider_txn_id
    AND daily_totals.hub_id = NEW.hub_id AND daily_totals.day = NEW.day;
END;
CREATE TRIGGER void_leaves_the_day_of_its_payment AFTER INSERT ON ledger WHEN NEW.kind = 'void' BEGIN
  UPDATE daily_totals
  SET net_cents = net_cents + NEW.amount_cents,
    methods = json_set(methods, '$."' || paid.method || '"', json_extract(methods, '$."' || paid.method || '"') - 1)
  FROM payments_by_method AS paid
  WHERE paid.attempt_id = NEW.attempt_id AND daily_totals.hub_id = paid.hub_id AND daily_totals.day = paid.day;
END;

-- An attempt counts on the day it was made, under the state it came to; one that changes its end changes its place.
CREATE TRIGGER attempts_leave_their_state AFTER UPDATE OF state ON payment_attempts
WHEN OLD.state <> NEW.state AND OLD.state NOT IN ('sent', 'unknown', 'pending', 'needs_human') BEGIN
  UPDATE daily_totals SET statuses = json_set(statuses, '$.' || OLD.state, json_extract(statuses, '$.' || OLD.state) - 1)
  WHERE hub_id = OLD.hub_id AND day = OLD.day;
END;
CREATE TRIGGER attempts_come_to_a_state AFTER UPDATE OF state ON payment_attempts
WHEN OLD.state <> NEW.state AND NEW.state NOT IN ('sent', 'unknown', 'pending', 'needs_human') BEGIN
  INSERT INTO daily_totals (hub_id, day) VALUES (NEW.hub_id, NEW.day) ON CONFLICT (hub_id, day) DO NOTHING;
  UPDATE daily_totals
  SET statuses = json_set(statuses, '$.' || NEW.state, ifnull(json_extract(statuses, '$.' || NEW.state), 0) + 1)
  WHERE hub_id = NEW.hub_id AND day = NEW.day;
END;
