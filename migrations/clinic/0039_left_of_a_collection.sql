-- Whether anything is left of the payments of a collection is asked of these alone: what went back of an earlier collection
-- says nothing of them.
DROP VIEW invoice_labels;
DROP VIEW invoice_sums;
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
  -- What is left of these.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state = 'approved'), 0) AS left_cents,
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
CREATE VIEW invoice_labels AS
SELECT s.*, CASE
    WHEN s.base_cents IS NOT NULL THEN CASE
      WHEN s.kept_cents >= s.base_cents THEN 'paid'
      WHEN s.taken_cents < s.collection_cents THEN 'none'
      WHEN s.left_cents > 0 THEN 'paid'
      ELSE 'refunded' END
    WHEN s.kept_cents > 0 THEN 'paid'
    WHEN s.has_pending THEN 'submitted'
    ELSE coalesce(s.ended_as, 'none') END AS label
FROM invoice_sums s;
