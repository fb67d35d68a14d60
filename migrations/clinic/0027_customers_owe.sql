-- What a customer owes, since which due day, and when they last paid: kept with the contact as its invoices and payments
-- change, so that the list of customers sorts and filters by it at any size.

-- As before, with the contact.
DROP VIEW owed_invoices;
CREATE VIEW owed_invoices AS
  SELECT rowid AS doc, hub_id, coalesce(due_date, '') AS due_day, balance_cents AS cents, contact_id FROM invoices
  WHERE gone_at IS NULL AND overlay = 'none' AND status = 'open' AND balance_cents > 0 AND currency = 'USD';

-- By the due day as well: the first one that a contact owes is one seek, however many invoices it has.
DROP INDEX invoices_open_by_contact;
CREATE INDEX invoices_open_by_contact ON invoices (hub_id, contact_id, coalesce(due_date, ''))
  WHERE gone_at IS NULL AND overlay = 'none' AND status = 'open';

-- Payments that stand, with the invoice's present contact. One that was voided, or that the bank returned, is none.
-- In this order: left to itself, SQLite begins with all payments of the account.
CREATE VIEW customer_payments AS
  SELECT i.hub_id, i.contact_id, l.at FROM invoices i
  CROSS JOIN payment_attempts a ON a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id
  CROSS JOIN ledger l ON l.attempt_id = a.id AND l.kind = 'payment'
  WHERE i.gone_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM ledger b WHERE b.attempt_id = a.id AND b.kind IN ('void', 'return'));

-- In dollars that are still owed; the first day on which something of that is or was due, empty where nothing has a day;
-- and the newest payment (UTC ms; 0: never). Triggers keep them.
ALTER TABLE contacts ADD COLUMN owed_cents INTEGER NOT NULL DEFAULT 0;
ALTER TABLE contacts ADD COLUMN first_due TEXT NOT NULL DEFAULT '';
ALTER TABLE contacts ADD COLUMN last_paid_at INTEGER NOT NULL DEFAULT 0;

-- The same, made anew out of the rows.
CREATE VIEW customer_sums AS
  SELECT c.rowid AS doc,
    coalesce((SELECT sum(o.cents) FROM owed_invoices o
      WHERE o.hub_id = c.hub_id AND o.contact_id = c.contact_id), 0) AS owed_cents,
    coalesce((SELECT o.due_day FROM owed_invoices o
      WHERE o.hub_id = c.hub_id AND o.contact_id = c.contact_id AND o.due_day > '' ORDER BY o.due_day LIMIT 1), '')
      AS first_due,
    coalesce((SELECT max(p.at) FROM customer_payments p
      WHERE p.hub_id = c.hub_id AND p.contact_id = c.contact_id), 0) AS last_paid_at
  FROM contacts c;

-- How many customers owe something of which the first is or was due on a day (empty: none has one), so that a new day
-- makes them overdue without a look at each.
CREATE TABLE owing_customers (
  hub_id INTEGER NOT NULL,
  first_due TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (hub_id, first_due)
) STRICT, WITHOUT ROWID;

UPDATE contacts SET owed_cents = s.owed_cents, first_due = s.first_due, last_paid_at = s.last_paid_at
  FROM customer_sums s WHERE s.doc = contacts.rowid;
INSERT INTO owing_customers (hub_id, first_due, n)
  SELECT hub_id, first_due, count(*) FROM contacts WHERE gone_at IS NULL AND owed_cents > 0 GROUP BY hub_id, first_due;

CREATE INDEX contacts_by_owed ON contacts (hub_id, owed_cents, id_number) WHERE gone_at IS NULL;
CREATE INDEX contacts_by_last_paid ON contacts (hub_id, last_paid_at, id_number) WHERE gone_at IS NULL;
CREATE INDEX contacts_owing ON contacts (hub_id, first_due, id_number) WHERE gone_at IS NULL AND owed_cents > 0;

CREATE TRIGGER contacts_owing_changed AFTER UPDATE OF owed_cents, first_due, gone_at ON contacts
WHEN (OLD.owed_cents, OLD.first_due, OLD.gone_at) IS NOT (NEW.owed_cents, NEW.first_due, NEW.gone_at)
BEGIN
  UPDATE owing_customers SET n = n - 1
    WHERE OLD.gone_at IS NULL AND OLD.owed_cents > 0 AND hub_id = OLD.hub_id AND first_due = OLD.first_due;
  INSERT INTO owing_customers (hub_id, first_due, n)
    SELECT NEW.hub_id, NEW.first_due, 1 WHERE NEW.gone_at IS NULL AND NEW.owed_cents > 0
    ON CONFLICT (hub_id, first_due) DO UPDATE SET n = n + 1;
  DELETE FROM owing_customers WHERE hub_id = OLD.hub_id AND first_due = OLD.first_due AND n = 0;
END;
CREATE TRIGGER contacts_owing_deleted AFTER DELETE ON contacts WHEN OLD.gone_at IS NULL AND OLD.owed_cents > 0 BEGIN
  UPDATE owing_customers SET n = n - 1 WHERE hub_id = OLD.hub_id AND first_due = OLD.first_due;
  DELETE FROM owing_customers WHERE hub_id = OLD.hub_id AND first_due = OLD.first_due AND n = 0;
END;

-- An invoice may be copied before its contact is.
CREATE TRIGGER contacts_owe_new AFTER INSERT ON contacts BEGIN
  UPDATE contacts SET owed_cents = s.owed_cents, first_due = s.first_due, last_paid_at = s.last_paid_at
    FROM customer_sums s WHERE s.doc = NEW.rowid AND contacts.rowid = NEW.rowid;
END;

CREATE TRIGGER invoices_customer_owes_new AFTER INSERT ON invoices WHEN NEW.status = 'open' BEGIN
  UPDATE contacts SET owed_cents = owed_cents + o.cents,
      first_due = iif(o.due_day > '' AND (first_due = '' OR o.due_day < first_due), o.due_day, first_due)
    FROM owed_invoices o
    WHERE o.doc = NEW.rowid AND contacts.hub_id = o.hub_id AND contacts.contact_id = o.contact_id;
END;
CREATE TRIGGER invoices_customer_owes_before_change
BEFORE UPDATE OF status, overlay, gone_at, currency, due_date, balance_cents, contact_id ON invoices
WHEN OLD.status = 'open'
  AND (OLD.status, OLD.overlay, OLD.gone_at, OLD.currency, OLD.due_date, OLD.balance_cents, OLD.contact_id)
  IS NOT (NEW.status, NEW.overlay, NEW.gone_at, NEW.currency, NEW.due_date, NEW.balance_cents, NEW.contact_id)
BEGIN
  UPDATE contacts SET owed_cents = owed_cents - o.cents FROM owed_invoices o
    WHERE o.doc = OLD.rowid AND contacts.hub_id = o.hub_id AND contacts.contact_id = o.contact_id;
END;
CREATE TRIGGER invoices_customer_owes_changed
AFTER UPDATE OF status, overlay, gone_at, currency, due_date, balance_cents, contact_id ON invoices
WHEN 'open' IN (OLD.status, NEW.status)
  AND (OLD.status, OLD.overlay, OLD.gone_at, OLD.currency, OLD.due_date, OLD.balance_cents, OLD.contact_id)
  IS NOT (NEW.status, NEW.overlay, NEW.gone_at, NEW.currency, NEW.due_date, NEW.balance_cents, NEW.contact_id)
BEGIN
  UPDATE contacts SET owed_cents = owed_cents + o.cents FROM owed_invoices o
    WHERE o.doc = NEW.rowid AND contacts.hub_id = o.hub_id AND contacts.contact_id = o.contact_id;
  UPDATE contacts SET first_due = s.first_due FROM customer_sums s
    WHERE s.doc = contacts.rowid AND contacts.hub_id = NEW.hub_id AND contacts.contact_id IN (OLD.contact_id, NEW.contact_id)
      AND contacts.first_due <> s.first_due;
END;
CREATE TRIGGER invoices_customer_owes_deleted AFTER DELETE ON invoices
WHEN OLD.status = 'open' AND OLD.gone_at IS NULL BEGIN
  UPDATE contacts SET owed_cents = s.owed_cents, first_due = s.first_due FROM customer_sums s
    WHERE s.doc = contacts.rowid AND contacts.hub_id = OLD.hub_id AND contacts.contact_id = OLD.contact_id;
END;

CREATE TRIGGER ledger_customer_paid AFTER INSERT ON ledger WHEN NEW.kind = 'payment' BEGIN
  UPDATE contacts SET last_paid_at = max(last_paid_at, NEW.at) FROM invoices i
    WHERE i.hub_id = NEW.hub_id AND i.invoice_id = NEW.invoice_id AND i.gone_at IS NULL
      AND contacts.hub_id = i.hub_id AND contacts.contact_id = i.contact_id;
END;
-- The newest before it is looked for among all payments of the customer, only where this was the newest.
CREATE TRIGGER ledger_customer_unpaid AFTER INSERT ON ledger WHEN NEW.kind IN ('void', 'return') BEGIN
  UPDATE contacts SET last_paid_at = s.last_paid_at FROM ledger p, invoices i, customer_sums s
    WHERE p.attempt_id = NEW.attempt_id AND p.kind = 'payment'
      AND i.hub_id = NEW.hub_id AND i.invoice_id = NEW.invoice_id
      AND contacts.hub_id = i.hub_id AND contacts.contact_id = i.contact_id AND contacts.last_paid_at <= p.at
      AND s.doc = contacts.rowid;
END;
CREATE TRIGGER invoices_customer_paid_changed AFTER UPDATE OF gone_at, contact_id ON invoices
WHEN (OLD.gone_at IS NULL, OLD.contact_id) <> (NEW.gone_at IS NULL, NEW.contact_id)
  AND EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id)
BEGIN
  UPDATE contacts SET last_paid_at = s.last_paid_at FROM customer_sums s
    WHERE s.doc = contacts.rowid AND contacts.hub_id = NEW.hub_id AND contacts.contact_id IN (OLD.contact_id, NEW.contact_id)
      AND contacts.last_paid_at <> s.last_paid_at;
END;
-- A payment that was lost and brought back may be here before its invoice is copied again.
CREATE TRIGGER invoices_customer_paid_new AFTER INSERT ON invoices
WHEN EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id)
BEGIN
  UPDATE contacts SET last_paid_at = s.last_paid_at FROM customer_sums s
    WHERE s.doc = contacts.rowid AND contacts.hub_id = NEW.hub_id AND contacts.contact_id = NEW.contact_id;
END;
