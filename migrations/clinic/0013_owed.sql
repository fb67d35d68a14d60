-- What a hub is still owed, kept as its invoices change: a row for each day on which something falls due, however many
-- invoices there are. Only in the currency that is paid here, since a sum of several is none.
CREATE TABLE owed_totals (
  hub_id INTEGER NOT NULL,
  -- Empty for what has no due date.
  due_day TEXT NOT NULL,
  n INTEGER NOT NULL,
  cents INTEGER NOT NULL,
  PRIMARY KEY (hub_id, due_day)
) STRICT, WITHOUT ROWID;

-- Which invoices are owed, and under which day.
CREATE VIEW owed_invoices AS
  SELECT rowid AS doc, hub_id, coalesce(due_date, '') AS due_day, coalesce(balance_cents, 0) AS cents FROM invoices
  WHERE gone_at IS NULL AND overlay = 'none' AND status = 'open' AND currency = 'USD';

INSERT INTO owed_totals (hub_id, due_day, n, cents)
  SELECT hub_id, due_day, count(*), sum(cents) FROM owed_invoices GROUP BY hub_id, due_day;

CREATE TRIGGER invoices_owe_new AFTER INSERT ON invoices WHEN NEW.status = 'open' BEGIN
  INSERT INTO owed_totals (hub_id, due_day, n, cents)
    SELECT hub_id, due_day, 1, cents FROM owed_invoices WHERE doc = NEW.rowid
    ON CONFLICT (hub_id, due_day) DO UPDATE SET n = n + 1, cents = cents + excluded.cents;
END;
CREATE TRIGGER invoices_owe_before_change
BEFORE UPDATE OF status, overlay, gone_at, currency, due_date, balance_cents ON invoices
WHEN OLD.status = 'open' AND (OLD.status, OLD.overlay, OLD.gone_at, OLD.currency, OLD.due_date, OLD.balance_cents)
  IS NOT (NEW.status, NEW.overlay, NEW.gone_at, NEW.currency, NEW.due_date, NEW.balance_cents)
BEGIN
  UPDATE owed_totals SET n = owed_totals.n - 1, cents = owed_totals.cents - owed.cents FROM owed_invoices AS owed
    WHERE owed.doc = OLD.rowid AND owed_totals.hub_id = owed.hub_id AND owed_totals.due_day = owed.due_day;
  DELETE FROM owed_totals WHERE hub_id = OLD.hub_id AND due_day = coalesce(OLD.due_date, '') AND n = 0;
END;
CREATE TRIGGER invoices_owe_changed
AFTER UPDATE OF status, overlay, gone_at, currency, due_date, balance_cents ON invoices
WHEN NEW.status = 'open' AND (OLD.status, OLD.overlay, OLD.gone_at, OLD.currency, OLD.due_date, OLD.balance_cents)
  IS NOT (NEW.status, NEW.overlay, NEW.gone_at, NEW.currency, NEW.due_date, NEW.balance_cents)
BEGIN
  INSERT INTO owed_totals (hub_id, due_day, n, cents)
    SELECT hub_id, due_day, 1, cents FROM owed_invoices WHERE doc = NEW.rowid
    ON CONFLICT (hub_id, due_day) DO UPDATE SET n = n + 1, cents = cents + excluded.cents;
END;
CREATE TRIGGER invoices_owe_deleted BEFORE DELETE ON invoices WHEN OLD.status = 'open' BEGIN
  UPDATE owed_totals SET n = owed_totals.n - 1, cents = owed_totals.cents - owed.cents FROM owed_invoices AS owed
    WHERE owed.doc = OLD.rowid AND owed_totals.hub_id = owed.hub_id AND owed_totals.due_day = owed.due_day;
  DELETE FROM owed_totals WHERE hub_id = OLD.hub_id AND due_day = coalesce(OLD.due_date, '') AND n = 0;
END;
