-- One sum for every figure of a day: ledger entries by the local day that they were booked with, without those of payments
-- that were voided. A voided payment was never charged, so it and what was given back of it before count on no day.
CREATE VIEW counted_entries AS
SELECT * FROM ledger AS l
WHERE l.kind <> 'void' AND NOT EXISTS (SELECT 1 FROM ledger gone WHERE gone.attempt_id = l.attempt_id AND gone.kind = 'void');

DROP TRIGGER ledger_adds_to_day;
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
  WHERE paid.hub_id = NEW.hub_id AND paid.provider_txn_id = NEW.provider_txn_id
    AND daily_totals.hub_id = NEW.hub_id AND daily_totals.day = NEW.day;
END;

DROP TRIGGER void_leaves_the_day_of_its_payment;
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

-- A payment that was refunded in part and voided after that, on the days that were kept before.
UPDATE daily_totals SET net_cents = net_cents - wrong.cents, refund_cents = refund_cents + wrong.back, refunds = refunds - wrong.n
FROM (SELECT back.hub_id, back.day, sum(back.amount_cents) AS cents, sum(back.amount_cents) AS back, count(*) AS n
  FROM ledger back JOIN ledger void ON void.attempt_id = back.attempt_id AND void.kind = 'void'
  WHERE back.kind IN ('refund', 'return') GROUP BY back.hub_id, back.day) AS wrong
WHERE wrong.hub_id = daily_totals.hub_id AND wrong.day = daily_totals.day;
UPDATE daily_totals SET net_cents = net_cents + wrong.cents
FROM (SELECT paid.hub_id, paid.day, sum(back.amount_cents) AS cents
  FROM ledger back JOIN ledger void ON void.attempt_id = back.attempt_id AND void.kind = 'void'
  JOIN ledger paid ON paid.attempt_id = back.attempt_id AND paid.kind = 'payment'
  WHERE back.kind IN ('refund', 'return') GROUP BY paid.hub_id, paid.day) AS wrong
WHERE wrong.hub_id = daily_totals.hub_id AND wrong.day = daily_totals.day;
