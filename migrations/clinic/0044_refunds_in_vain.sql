-- An approval whose refund came to nothing is due once more: the clinic's clock ends it, and tells the people who wait for it.
CREATE TRIGGER reversals_in_vain AFTER UPDATE OF state ON reversals
WHEN OLD.state NOT IN ('refused', 'not_done', 'approved') AND NEW.state IN ('refused', 'not_done') BEGIN
  UPDATE approvals SET next_try_at = coalesce(NEW.settled_at, NEW.created_at)
  WHERE attempt_id = NEW.attempt_id AND request_key = NEW.request_key AND state = 'approved';
END;
