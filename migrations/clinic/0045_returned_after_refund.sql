-- A bank knows nothing of a refund: it may return a debit that was given back in full, and the money has gone twice.
DROP TRIGGER payment_attempts_moves;
CREATE TRIGGER payment_attempts_moves BEFORE UPDATE OF state ON payment_attempts
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent'
      AND NEW.state IN ('approved', 'declined', 'rejected', 'pending', 'unknown', 'cancelled', 'timed_out'))
  OR (OLD.state = 'unknown'
      AND NEW.state IN ('approved', 'declined', 'pending', 'not_charged', 'needs_human', 'cancelled', 'timed_out'))
  OR (OLD.state = 'pending' AND NEW.state IN ('approved', 'returned', 'needs_human'))
  OR (OLD.state IN ('not_charged', 'cancelled', 'timed_out') AND NEW.state = 'needs_human')
  -- A person looked at it and said, with a note, what it was; or the gateway shows the end of a debit after all.
  OR (OLD.state = 'needs_human' AND NEW.state IN ('approved', 'not_charged', 'voided'))
  OR (OLD.state = 'needs_human' AND NEW.state = 'returned' AND OLD.needs_human_from = 'pending')
  OR (OLD.state = 'approved' AND NEW.state IN ('voided', 'refunded', 'returned'))
  OR (OLD.state = 'refunded' AND NEW.state = 'approved' AND NEW.refunded_cents < NEW.amount_cents)
  OR (OLD.state = 'refunded' AND NEW.state = 'returned' AND OLD.method = 'ach')
)
BEGIN
  SELECT RAISE(ABORT, 'this payment cannot move to that state');
END;
-- Those of the last time are looked at again, as long as a bank may return them.
UPDATE payment_attempts SET next_check_at = settled_at + 86400000
  WHERE method = 'ach' AND state = 'refunded' AND settled_at IS NOT NULL AND next_check_at IS NULL
    AND provider_txn_id IS NOT NULL;
