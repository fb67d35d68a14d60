-- A payment that came to nothing ends the key of its form in the same write: its payer, or staff at the desk, read that nothing
-- was charged, while an earlier press of that form, with another card, may still be on its way.
CREATE TRIGGER payments_end_their_key AFTER UPDATE OF state ON payment_attempts
WHEN OLD.state <> NEW.state AND NEW.attempt_key IS NOT NULL
  AND NEW.state IN ('declined', 'rejected', 'not_charged', 'cancelled', 'timed_out', 'returned')
BEGIN
  INSERT INTO refused_keys (hub_id, invoice_id, attempt_key, refused_at)
  VALUES (NEW.hub_id, NEW.invoice_id, NEW.attempt_key, coalesce(NEW.settled_at, NEW.created_at))
  ON CONFLICT DO NOTHING;
END;
