-- A bank debit that stays without an end goes before a person, and leaves again when the gateway shows its end. A refund
-- that was voided at the gateway is taken back: the reversal was not done, and a payment with something left is approved.
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
)
BEGIN
  SELECT RAISE(ABORT, 'this payment cannot move to that state');
END;

DROP TRIGGER reversals_moves;
CREATE TRIGGER reversals_moves BEFORE UPDATE OF state ON reversals
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent' AND NEW.state IN ('approved', 'refused', 'unknown'))
  OR (OLD.state = 'unknown' AND NEW.state IN ('approved', 'refused', 'not_done', 'needs_human'))
  -- Late, but the gateway has carried it out.
  OR (OLD.state = 'not_done' AND NEW.state IN ('approved', 'needs_human'))
  OR (OLD.state = 'needs_human' AND NEW.state IN ('approved', 'not_done'))
  -- A refund that was voided at the gateway.
  OR (OLD.state = 'approved' AND NEW.state = 'not_done' AND OLD.kind = 'refund')
)
BEGIN
  SELECT RAISE(ABORT, 'this reversal cannot move to that state');
END;
