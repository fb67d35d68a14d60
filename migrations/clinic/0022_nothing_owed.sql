-- An open invoice on which nothing is left to pay is not owed, and not overdue either: it waits for the CRM to close it.
DROP VIEW owed_invoices;
CREATE VIEW owed_invoices AS
  SELECT rowid AS doc, hub_id, coalesce(due_date, '') AS due_day, balance_cents AS cents FROM invoices
  WHERE gone_at IS NULL AND overlay = 'none' AND status = 'open' AND balance_cents > 0 AND currency = 'USD';

DELETE FROM owed_totals;
INSERT INTO owed_totals (hub_id, due_day, n, cents)
  SELECT hub_id, due_day, count(*), sum(cents) FROM owed_invoices GROUP BY hub_id, due_day;

DROP INDEX invoices_overdue;
CREATE INDEX invoices_overdue ON invoices (hub_id, coalesce(due_date, ''), id_number)
  WHERE gone_at IS NULL AND overlay = 'none' AND status = 'open' AND balance_cents > 0;
