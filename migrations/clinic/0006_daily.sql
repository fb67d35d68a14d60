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

-- A short list of names: the gateway's own words may be anything, and nothing it says may stop a payment from being kept.
CREATE TRIGGER ledger_adds_to_day AFTER INSERT ON ledger BEGIN
  INSERT INTO daily_totals (hub_id, day) VALUES (NEW.hub_id, NEW.day) ON CONFLICT (hub_id, day) DO NOTHING;
  UPDATE daily_totals SET net_cents = net_cents + NEW.amount_cents WHERE hub_id = NEW.hub_id AND day = NEW.day;
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || named.method || '"', ifnull(json_extract(methods, '$."' || named.method || '"'), 0) + 1)
  FROM (SELECT CASE
    WHEN NEW.method = 'ach' THEN 'Bank account'
    WHEN upper(NEW.brand) = 'VISA' THEN 'Visa'
    WHEN upper(NEW.brand) IN ('MASTERCARD', 'MASTER CARD', 'MC') THEN 'Mastercard'
    WHEN upper(NEW.brand) IN ('AMEX', 'AMERICAN EXPRESS', 'AMERICANEXPRESS') THEN 'American Express'
    WHEN upper(NEW.brand) = 'DISCOVER' THEN 'Discover'
    ELSE 'Other card' END AS method) AS named
  WHERE hub_id = NEW.hub_id AND day = NEW.day AND NEW.kind = 'payment';
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
