-- What a day gave back, and at which hours its payments came; and when the CRM says that an invoice was paid.

-- `at` as an hour of the hub (0 to 23), of payments: SQL knows no time zones. NULL: booked before this was kept.
ALTER TABLE ledger ADD COLUMN hour INTEGER;
-- Refunds and returns of that day, as what they gave back (never negative) and how many they were.
ALTER TABLE daily_totals ADD COLUMN refund_cents INTEGER NOT NULL DEFAULT 0;
ALTER TABLE daily_totals ADD COLUMN refunds INTEGER NOT NULL DEFAULT 0;
-- Payments that were not voided by the hour at which they were booked: a JSON object of counts.
ALTER TABLE daily_totals ADD COLUMN hours TEXT NOT NULL DEFAULT '{}';

UPDATE daily_totals SET refund_cents = back.cents, refunds = back.n
FROM (SELECT hub_id, day, -sum(amount_cents) AS cents, count(*) AS n FROM ledger
  WHERE kind IN ('refund', 'return') GROUP BY hub_id, day) AS back
WHERE back.hub_id = daily_totals.hub_id AND back.day = daily_totals.day;

-- As before, with these columns beside the others in the same writes.
DROP TRIGGER ledger_adds_to_day;
DROP TRIGGER void_leaves_the_day_of_its_payment;
DROP VIEW payments_by_method;
CREATE VIEW payments_by_method AS
SELECT hub_id, provider_txn_id, attempt_id, day, CASE
  WHEN method = 'ach' THEN 'Bank account'
  WHEN upper(brand) = 'VISA' THEN 'Visa'
  WHEN upper(brand) IN ('MASTERCARD', 'MASTER CARD', 'MC') THEN 'Mastercard'
  WHEN upper(brand) IN ('AMEX', 'AMERICAN EXPRESS', 'AMERICANEXPRESS') THEN 'American Express'
  WHEN upper(brand) = 'DISCOVER' THEN 'Discover'
  ELSE 'Other card' END AS method, hour
FROM ledger WHERE kind = 'payment';
CREATE TRIGGER ledger_adds_to_day AFTER INSERT ON ledger WHEN NEW.kind <> 'void' BEGIN
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
  WHERE paid.hub_id = NEW.hub_id AND paid.provider_txn_id = NEW.provider_txn_id
    AND daily_totals.hub_id = NEW.hub_id AND daily_totals.day = NEW.day;
END;
CREATE TRIGGER void_leaves_the_day_of_its_payment AFTER INSERT ON ledger WHEN NEW.kind = 'void' BEGIN
  UPDATE daily_totals
  SET net_cents = net_cents + NEW.amount_cents,
    methods = json_set(methods, '$."' || paid.method || '"', json_extract(methods, '$."' || paid.method || '"') - 1),
    hours = iif(paid.hour IS NULL, hours,
      json_set(hours, '$."' || paid.hour || '"', json_extract(hours, '$."' || paid.hour || '"') - 1))
  FROM payments_by_method AS paid
  WHERE paid.attempt_id = NEW.attempt_id AND daily_totals.hub_id = paid.hub_id AND daily_totals.day = paid.day;
END;

-- When the CRM says that it was paid (UTC ms; a day without a time is its midnight in UTC). NULL: it does not say.
ALTER TABLE invoices ADD COLUMN paid_at INTEGER;
CREATE INDEX invoices_paid ON invoices (hub_id, paid_at) WHERE paid_at IS NOT NULL;
