-- Of what was given back, what went back while the invoice still took installments: it is owed again, and its payment has not
-- taken it. What goes back after the last installment leaves the invoice paid until staff reopen it.
ALTER TABLE payment_attempts ADD COLUMN owed_again_cents INTEGER NOT NULL DEFAULT 0
  CHECK (owed_again_cents BETWEEN 0 AND amount_cents);
-- Of an invoice that is open nothing went back after the last one.
UPDATE payment_attempts SET owed_again_cents = refunded_cents
  WHERE refunded_cents > 0 AND state IN ('approved', 'refunded')
    AND EXISTS (SELECT 1 FROM invoices i WHERE i.hub_id = payment_attempts.hub_id AND i.invoice_id = payment_attempts.invoice_id
      AND i.collection = payment_attempts.collection AND i.overlay = 'none' AND i.part_base_cents IS NOT NULL);

DROP VIEW invoice_labels;
DROP VIEW invoice_sums;
CREATE VIEW invoice_sums AS
SELECT i.rowid AS doc, i.hub_id, i.invoice_id, i.collection,
  c.paid_before_cents + c.base_cents AS base_cents,
  c.taken_before_cents + c.base_cents AS to_take_cents,
  -- Approved payments less what was given back of them, in every collection.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.state = 'approved'), 0) AS kept_cents,
  -- Payments that were not voided or returned, less what of them is owed again, in every collection.
  coalesce((SELECT sum(a.amount_cents - a.owed_again_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.state IN ('approved', 'refunded')), 0) AS taken_cents,
  -- What is left of those of the present collection.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state = 'approved'), 0) AS left_cents,
  coalesce((SELECT sum(a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection), 0) AS given_back_cents,
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id
    AND a.collection = i.collection AND a.state = 'refunded') AS has_refunded,
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
CREATE VIEW invoice_labels AS
SELECT s.*, CASE
    WHEN s.base_cents IS NOT NULL THEN CASE
      WHEN s.kept_cents >= s.base_cents THEN 'paid'
      WHEN s.taken_cents < s.to_take_cents THEN 'none'
      WHEN s.left_cents > 0 THEN 'paid'
      WHEN s.has_refunded THEN 'refunded'
      ELSE 'none' END
    WHEN s.kept_cents > 0 THEN 'paid'
    WHEN s.has_pending THEN 'submitted'
    ELSE coalesce(s.ended_as, 'none') END AS label
FROM invoice_sums s;

DROP TRIGGER payments_change_balance;
CREATE TRIGGER payments_change_balance AFTER UPDATE OF state, refunded_cents ON payment_attempts
WHEN (OLD.state, OLD.refunded_cents) <> (NEW.state, NEW.refunded_cents)
  AND (OLD.state IN ('pending', 'approved', 'needs_human') OR NEW.state IN ('pending', 'approved', 'voided', 'refunded', 'returned')) BEGIN
  UPDATE payment_attempts
    SET owed_again_cents = min(NEW.refunded_cents, owed_again_cents + iif(
      EXISTS (SELECT 1 FROM invoices i WHERE i.hub_id = NEW.hub_id AND i.invoice_id = NEW.invoice_id
        AND i.overlay = 'none' AND i.part_base_cents IS NOT NULL),
      max(0, NEW.refunded_cents - OLD.refunded_cents), 0))
    WHERE id = NEW.id AND NEW.refunded_cents <> OLD.refunded_cents;
  UPDATE invoices SET overlay = b.label, given_back_cents = b.given_back_cents,
      part_paid_cents = iif(b.base_cents IS NULL, 0, b.kept_cents)
    FROM invoice_labels b
    WHERE b.hub_id = NEW.hub_id AND b.invoice_id = NEW.invoice_id AND invoices.rowid = b.doc
      AND (invoices.overlay, invoices.given_back_cents, invoices.part_paid_cents)
        IS NOT (b.label, b.given_back_cents, iif(b.base_cents IS NULL, 0, b.kept_cents));
END;
