-- 1: payers see on their page and receipt what is on the bill. It may tell of their health, so somebody has to say so.
ALTER TABLE hubs ADD COLUMN shows_lines INTEGER NOT NULL DEFAULT 0 CHECK (shows_lines IN (0, 1));
-- What was on the bill at the last reading for its pay page, as JSON; empty: not read, or not shown.
ALTER TABLE invoices ADD COLUMN bill_lines TEXT NOT NULL DEFAULT '';
CREATE INDEX invoices_with_lines ON invoices (hub_id) WHERE bill_lines <> '';
-- What was on the bill that this payment paid: a later collection may have other lines.
ALTER TABLE payment_attempts ADD COLUMN bill_lines TEXT NOT NULL DEFAULT '';
