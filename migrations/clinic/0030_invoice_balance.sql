-- One account of an invoice's money, over all of its collections. The columns that say how it stands (`overlay`,
-- `part_paid_cents`, `given_back_cents`) follow from its payments, in the statement that moves one: nothing else sets them.
-- The same rule in TypeScript is worker/domain/invoices/invoice-balance.ts.

-- What was taken and kept. `base_cents`: what the invoice comes to in installments; NULL: it is paid whole.
CREATE VIEW invoice_sums AS
SELECT i.rowid AS doc, i.hub_id, i.invoice_id, i.collection,
  c.paid_before_cents + c.base_cents AS base_cents,
  c.base_cents AS collection_cents,
  -- Approved payments less what was given back of them, in every collection.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.state = 'approved'), 0) AS kept_cents,
  -- Payments of the present collection that were not voided, before anything was given back of them.
  coalesce((SELECT sum(a.amount_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state IN ('approved', 'refunded')), 0) AS taken_cents,
  coalesce((SELECT sum(a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection), 0) AS given_back_cents,
  -- A bank debit that was accepted, also while a person looks for it.
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id
    AND (a.state = 'pending' OR (a.state = 'needs_human' AND a.needs_human_from = 'pending'))) AS has_pending,
  -- How the booked payment of a whole collection ended, if it did.
  (SELECT a.state FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state IN ('voided', 'refunded', 'returned')
      AND EXISTS (SELECT 1 FROM ledger l WHERE l.attempt_id = a.id AND l.kind = 'payment')
    ORDER BY a.settled_at DESC, a.id DESC LIMIT 1) AS ended_as
FROM invoices i
LEFT JOIN collections c ON c.hub_id = i.hub_id AND c.invoice_id = i.invoice_id AND c.n = i.collection;

-- In installments, the invoice is paid once what is kept comes to the base; money given back after that, but not a void,
-- leaves it paid until staff reopen it. A whole payment closes it until all of that is given back and staff reopen it.
CREATE VIEW invoice_labels AS
SELECT s.*, CASE
    WHEN s.base_cents IS NOT NULL THEN CASE
      WHEN s.kept_cents >= s.base_cents THEN 'paid'
      WHEN s.taken_cents < s.collection_cents THEN 'none'
      WHEN s.kept_cents > s.base_cents - s.collection_cents THEN 'paid'
      ELSE 'refunded' END
    WHEN s.kept_cents > 0 THEN 'paid'
    WHEN s.has_pending THEN 'submitted'
    ELSE coalesce(s.ended_as, 'none') END AS label
FROM invoice_sums s;

DROP TRIGGER parts_paid;
DROP TRIGGER invoices_give_back;
CREATE TRIGGER payments_change_balance AFTER UPDATE OF state, refunded_cents ON payment_attempts
WHEN (OLD.state, OLD.refunded_cents) <> (NEW.state, NEW.refunded_cents)
  AND (OLD.state IN ('pending', 'approved', 'needs_human') OR NEW.state IN ('pending', 'approved', 'voided', 'refunded', 'returned')) BEGIN
  UPDATE invoices SET overlay = b.label, given_back_cents = b.given_back_cents,
      part_paid_cents = iif(b.base_cents IS NULL, 0, b.kept_cents)
    FROM invoice_labels b
    WHERE b.hub_id = NEW.hub_id AND b.invoice_id = NEW.invoice_id AND invoices.rowid = b.doc
      AND (invoices.overlay, invoices.given_back_cents, invoices.part_paid_cents)
        IS NOT (b.label, b.given_back_cents, iif(b.base_cents IS NULL, 0, b.kept_cents));
END;

DROP TRIGGER collections_opened;
CREATE TRIGGER collections_opened AFTER INSERT ON collections BEGIN
  UPDATE invoices SET overlay = b.label, part_base_cents = b.base_cents, part_paid_cents = b.kept_cents
    FROM invoice_labels b
    WHERE b.hub_id = NEW.hub_id AND b.invoice_id = NEW.invoice_id AND b.collection = NEW.n AND invoices.rowid = b.doc;
END;

-- What a collection in installments comes to and what of that is kept, those of earlier collections included.
DROP VIEW part_sums;
CREATE VIEW part_sums AS
  SELECT c.hub_id, c.invoice_id, c.n, c.paid_before_cents + c.base_cents AS base_cents,
    coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
      WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id AND a.state = 'approved'), 0) AS paid_cents
  FROM collections c;

-- Part of every claim, so that no two of them meet the same rest. Money of the invoice in any collection counts: kept, under
-- way, or before a person. A claim that may not be does nothing, as one that lost.
DROP TRIGGER parts_claimed;
CREATE TRIGGER claims_fit BEFORE INSERT ON payment_attempts
WHEN NEW.state = 'sent' AND (
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id
    AND (
      -- The unique indexes hold one under way in the present collection; here are the others.
      (a.state IN ('sent', 'unknown', 'pending') AND a.collection <> NEW.collection)
      -- One that was released as not charged may still show up for a day. Under its key the gateway takes the same amount
      -- once, but another amount, or another key, again. What a person released is believed.
      OR (a.state = 'not_charged' AND a.settled_at > NEW.created_at - 86400000
        AND ((a.collection <> NEW.collection AND a.needs_human_from = '')
          OR (a.collection = NEW.collection AND a.part = NEW.part AND a.amount_cents <> NEW.amount_cents)))))
  OR iif(
    EXISTS (SELECT 1 FROM collections c WHERE c.hub_id = NEW.hub_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection),
    NOT EXISTS (SELECT 1 FROM (
        SELECT c.*, s.base_cents - s.paid_cents - NEW.amount_cents - coalesce((SELECT sum(a.amount_cents)
            FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
              AND a.state IN ('sent', 'unknown', 'pending')), 0) AS rest_cents,
          (SELECT count(*) FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
            AND a.collection = c.n AND a.state = 'approved') AS kept
        FROM collections c JOIN part_sums s ON s.hub_id = c.hub_id AND s.invoice_id = c.invoice_id AND s.n = c.n
        WHERE c.hub_id = NEW.hub_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection) c
      WHERE c.state = 'open' AND NEW.method = 'card'
        AND NEW.part = 1 + (SELECT count(*) FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
          AND a.collection = c.n AND a.state IN ('approved', 'voided', 'refunded', 'returned'))
        AND (c.rest_cents = 0 OR (c.rest_cents >= c.min_cents AND NEW.amount_cents >= c.min_cents AND c.kept + 1 < c.max_parts))),
    NEW.part <> 1 OR EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id
      AND a.collection <> NEW.collection AND a.state = 'approved' AND a.amount_cents > a.refunded_cents)))
BEGIN
  SELECT RAISE(IGNORE);
END;

-- What stands already follows from the same rule.
UPDATE invoices SET overlay = b.label, given_back_cents = b.given_back_cents,
    part_paid_cents = iif(b.base_cents IS NULL, 0, b.kept_cents)
  FROM invoice_labels b
  WHERE invoices.rowid = b.doc
    AND EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = b.hub_id AND a.invoice_id = b.invoice_id)
    AND (invoices.overlay, invoices.given_back_cents, invoices.part_paid_cents)
      IS NOT (b.label, b.given_back_cents, iif(b.base_cents IS NULL, 0, b.kept_cents));
