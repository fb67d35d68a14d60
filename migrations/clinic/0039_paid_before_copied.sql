-- An account that was erased and comes back has its payments before its invoices are copied: such an invoice stands at once as
-- its payments say, in the collection of the newest.
CREATE TRIGGER invoices_paid_before_copied AFTER INSERT ON invoices
WHEN EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id)
BEGIN
  UPDATE invoices SET collection = (SELECT max(a.collection) FROM payment_attempts a
      WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id)
    WHERE hub_id = NEW.hub_id AND invoice_id = NEW.invoice_id;
  UPDATE invoices SET overlay = b.label, given_back_cents = b.given_back_cents,
      part_base_cents = b.base_cents, part_paid_cents = iif(b.base_cents IS NULL, 0, b.kept_cents)
    FROM invoice_labels b
    WHERE b.hub_id = NEW.hub_id AND b.invoice_id = NEW.invoice_id AND invoices.rowid = b.doc;
END;
