-- 1: it corrects a refund that is booked, as one that was voided at the provider. It moves money, and is no refund of its own.
ALTER TABLE ledger ADD COLUMN corrects INTEGER NOT NULL DEFAULT 0 CHECK (corrects IN (0, 1));
DROP TRIGGER ledger_keeps_rows;
UPDATE ledger SET corrects = 1 WHERE kind = 'refund' AND EXISTS (SELECT 1 FROM reversals r JOIN ledger own
  ON own.hub_id = ledger.hub_id AND own.provider_txn_id = r.provider_txn_id AND own.kind = 'refund' AND own.attempt_id = ledger.attempt_id
  WHERE r.attempt_id = ledger.attempt_id AND ledger.provider_txn_id > r.provider_txn_id || '-'
    AND ledger.provider_txn_id < r.provider_txn_id || '.');
CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;

DROP VIEW counted_entries;
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
    refunds = refunds + iif(NEW.kind = 'payment' OR NEW.corrects = 1, 0, 1),
    hours = iif(NEW.kind = 'payment' AND NEW.hour IS NOT NULL,
      json_set(hours, '$."' || NEW.hour || '"', ifnull(json_extract(hours, '$."' || NEW.hour || '"'), 0) + 1), hours)
  WHERE hub_id = NEW.hub_id AND day = NEW.day;
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', ifnull(json_extract(methods, '$."' || paid.method || '"'), 0) + 1)
  FROM payments_by_method AS paid
  WHERE paid.hub_id = NEW.hub_id AND paid.provider_txn_id = NEW.provider_txn_id AND paid.attempt_id = NEW.attempt_id
    AND daily_totals.hub_id = NEW.hub_id AND daily_totals.day = NEW.day;
END;
DROP TRIGGER void_leaves_the_days_of_its_payment;
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
      sum(kind <> 'payment' AND corrects = 0) AS backs
    FROM ledger WHERE attempt_id = NEW.attempt_id AND kind <> 'void' GROUP BY hub_id, day) AS moved
  WHERE daily_totals.hub_id = moved.hub_id AND daily_totals.day = moved.day;
END;

UPDATE daily_totals SET refunds = (SELECT coalesce(sum(corrects = 0), 0) FROM counted_entries AS back
  WHERE back.hub_id = daily_totals.hub_id AND back.day = daily_totals.day AND back.kind IN ('refund', 'return'))
  WHERE EXISTS (SELECT 1 FROM ledger l WHERE l.hub_id = daily_totals.hub_id AND l.day = daily_totals.day AND l.corrects = 1);
