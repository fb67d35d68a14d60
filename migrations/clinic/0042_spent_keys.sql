-- The gateway counts a charge under the key of this attempt, although nothing of it is with the clinic: a person released it.
ALTER TABLE payment_attempts ADD COLUMN key_spent INTEGER NOT NULL DEFAULT 0 CHECK (key_spent IN (0, 1));

-- `taken`: the number of the last part whose key the gateway counts. The next part follows it and has a key of its own; a
-- restore may have lost one before it, whose number must not be used again.
DROP VIEW part_sums;
CREATE VIEW part_sums AS
  SELECT c.hub_id, c.invoice_id, c.n, c.paid_before_cents + c.base_cents AS base_cents,
    coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
      WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id AND a.state = 'approved'), 0) AS paid_cents,
    coalesce((SELECT max(a.part) FROM payment_attempts a
      WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id AND a.collection = c.n
        AND (a.state IN ('approved', 'voided', 'refunded', 'returned') OR a.key_spent = 1)), 0) AS taken
  FROM collections c;

DROP TRIGGER claims_fit;
CREATE TRIGGER claims_fit BEFORE INSERT ON payment_attempts
WHEN NEW.state = 'sent' AND (
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id
    AND (
      -- The unique indexes hold one under way in the present collection; here are the others.
      (a.state IN ('sent', 'unknown', 'pending') AND a.collection <> NEW.collection)
      -- One that was released as not charged may still show up for a day. Under its key the gateway takes the same amount
      -- by the same way of paying once, but anything else again. What a person released is believed.
      OR (a.state = 'not_charged' AND a.settled_at > NEW.created_at - 86400000
        AND ((a.collection <> NEW.collection AND a.needs_human_from = '')
          OR (a.collection = NEW.collection AND a.part = NEW.part AND (a.amount_cents <> NEW.amount_cents OR a.method <> NEW.method))))))
  OR iif(
    EXISTS (SELECT 1 FROM collections c WHERE c.hub_id = NEW.hub_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection),
    NOT EXISTS (SELECT 1 FROM (
        SELECT c.*, s.taken, s.base_cents - s.paid_cents - NEW.amount_cents - coalesce((SELECT sum(a.amount_cents)
            FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
              AND a.state IN ('sent', 'unknown', 'pending')), 0) AS rest_cents,
          (SELECT count(*) FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
            AND a.collection = c.n AND a.state = 'approved') AS kept
        FROM collections c JOIN part_sums s ON s.hub_id = c.hub_id AND s.invoice_id = c.invoice_id AND s.n = c.n
        WHERE c.hub_id = NEW.hub_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection) c
      WHERE c.state = 'open' AND NEW.method = 'card'
        AND NEW.part = 1 + c.taken
        AND (c.rest_cents = 0 OR (c.rest_cents >= c.min_cents AND NEW.amount_cents >= c.min_cents AND c.kept + 1 < c.max_parts))),
    NEW.part <> 1 OR EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id
      AND a.collection <> NEW.collection AND a.state = 'approved' AND a.amount_cents > a.refunded_cents)))
BEGIN
  SELECT RAISE(IGNORE);
END;
