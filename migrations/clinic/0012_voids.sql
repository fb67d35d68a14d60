-- A payment that was voided was never charged, so the figures of a day leave it out: its money and its method go from the
-- day of the payment, and the day of the void shows nothing. Refunds and returns lower the volume on their own day.

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

DROP TRIGGER ledger_adds_to_day;
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

-- The voids so far: their money is no loss of the day on which they were made,
UPDATE daily_totals SET net_cents = net_cents - voids.cents
FROM (SELECT hub_id, day, sum(amount_cents) AS cents FROM ledger WHERE kind = 'void' GROUP BY hub_id, day) AS voids
WHERE daily_totals.hub_id = voids.hub_id AND daily_totals.day = voids.day;

-- but leaves the day of the payment,
UPDATE daily_totals SET net_cents = net_cents + voids.cents
FROM (SELECT paid.hub_id, paid.day, sum(void.amount_cents) AS cents
  FROM ledger AS void JOIN payments_by_method AS paid ON paid.attempt_id = void.attempt_id
  WHERE void.kind = 'void' GROUP BY paid.hub_id, paid.day) AS voids
WHERE daily_totals.hub_id = voids.hub_id AND daily_totals.day = voids.day;

-- whose methods are counted anew.
UPDATE daily_totals SET methods = counted.methods
FROM (SELECT hub_id, day, json_group_object(method, n) AS methods
  FROM (SELECT paid.hub_id, paid.day, paid.method, sum(void.attempt_id IS NULL) AS n
    FROM payments_by_method AS paid LEFT JOIN ledger AS void ON void.attempt_id = paid.attempt_id AND void.kind = 'void'
    GROUP BY paid.hub_id, paid.day, paid.method)
  GROUP BY hub_id, day) AS counted
WHERE daily_totals.hub_id = counted.hub_id AND daily_totals.day = counted.day
  AND EXISTS (SELECT 1 FROM ledger AS void JOIN payments_by_method AS paid ON paid.attempt_id = void.attempt_id
    WHERE void.kind = 'void' AND paid.hub_id = counted.hub_id AND paid.day = counted.day);
