-- A payment that was declined or returned may have its money after all: the gateway shows the charge as approved. Then a person
-- decides, and until they have nothing else is charged for the invoice.
DROP TRIGGER payment_attempts_moves;
CREATE TRIGGER payment_attempts_moves BEFORE UPDATE OF state ON payment_attempts
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent'
      AND NEW.state IN ('approved', 'declined', 'rejected', 'pending', 'unknown', 'cancelled', 'timed_out'))
  OR (OLD.state = 'unknown'
      AND NEW.state IN ('approved', 'declined', 'pending', 'not_charged', 'needs_human', 'cancelled', 'timed_out'))
  OR (OLD.state = 'pending' AND NEW.state IN ('approved', 'returned', 'needs_human'))
  OR (OLD.state IN ('not_charged', 'cancelled', 'timed_out', 'declined', 'rejected', 'returned') AND NEW.state = 'needs_human')
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
