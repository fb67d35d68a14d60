-- What the earlier collections had taken when this one was opened, before anything was given back of it. A payment of theirs
-- that is voided or returned later is owed again, as one of this collection is.
ALTER TABLE collections ADD COLUMN taken_before_cents INTEGER NOT NULL DEFAULT 0 CHECK (taken_before_cents >= 0);
DROP TRIGGER collections_keep_their_base;
UPDATE collections SET taken_before_cents = coalesce((SELECT sum(a.amount_cents) FROM payment_attempts a
  WHERE a.hub_id = collections.hub_id AND a.invoice_id = collections.invoice_id AND a.collection < collections.n
    AND a.state IN ('approved', 'refunded')), 0);
CREATE TRIGGER collections_keep_their_base BEFORE UPDATE ON collections
WHEN (OLD.hub_id, OLD.invoice_id, OLD.n, OLD.base_cents, OLD.min_cents, OLD.deposit_cents, OLD.max_parts,
    OLD.paid_before_cents, OLD.taken_before_cents, OLD.crm_balance_cents, OLD.crm_billed_cents, OLD.opened_by, OLD.opened_at)
  IS NOT (NEW.hub_id, NEW.invoice_id, NEW.n, NEW.base_cents, NEW.min_cents, NEW.deposit_cents, NEW.max_parts,
    NEW.paid_before_cents, NEW.taken_before_cents, NEW.crm_balance_cents, NEW.crm_billed_cents, NEW.opened_by, NEW.opened_at)
  OR (OLD.state = 'closed' AND NEW.state <> 'closed') OR (OLD.state = 'frozen' AND NEW.state = 'open')
BEGIN
  SELECT RAISE(ABORT, 'what a collection was opened with never changes');
END;

DROP VIEW invoice_labels;
DROP VIEW invoice_sums;
CREATE VIEW invoice_sums AS
SELECT i.rowid AS doc, i.hub_id, i.invoice_id, i.collection,
  c.paid_before_cents + c.base_cents AS base_cents,
  c.taken_before_cents + c.base_cents AS to_take_cents,
  -- Approved payments less what was given back of them, in every collection.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.state = 'approved'), 0) AS kept_cents,
  -- Payments that were not voided or returned, before anything was given back of them, in every collection.
  coalesce((SELECT sum(a.amount_cents) FROM payment_attempts a
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
UPDATE invoices SET overlay = b.label FROM invoice_labels b
  WHERE invoices.rowid = b.doc AND invoices.part_base_cents IS NOT NULL AND invoices.overlay <> b.label;
