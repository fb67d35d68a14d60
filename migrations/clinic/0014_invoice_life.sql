-- An invoice's life: that its page was opened, which batch its payment is in, what of that arrived at the bank, and what of
-- it was given back.

-- A pay page that somebody looked at, told by the page's own script; once for each load of it.
CREATE TABLE link_openings (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  invoice_id TEXT NOT NULL,
  load_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, invoice_id, load_id)
) STRICT;
CREATE INDEX link_openings_at ON link_openings (at);

-- A terminal's batch as the gateway showed it last, and what of it arrived at the bank, by the gateway's own report.
CREATE TABLE batches (
  hub_id INTEGER NOT NULL,
  terminal_id TEXT NOT NULL,
  batch_id TEXT NOT NULL,
  status TEXT NOT NULL,
  opened_at INTEGER,
  settled_at INTEGER,
  net_cents INTEGER,
  confirmation_code TEXT NOT NULL DEFAULT '',
  -- The day on which it was paid out, and how much came; null where the gateway has not told.
  funded_on TEXT,
  deposit_cents INTEGER,
  PRIMARY KEY (hub_id, terminal_id, batch_id),
  FOREIGN KEY (hub_id, terminal_id) REFERENCES terminals (hub_id, terminal_id)
) STRICT;
CREATE INDEX batches_open ON batches (hub_id, terminal_id) WHERE status <> 'closed';
-- Those whose deposit is looked for: always the few of the last days.
CREATE INDEX batches_unfunded ON batches (hub_id, settled_at) WHERE status = 'closed' AND funded_on IS NULL;

-- What of the present collection was given back.
ALTER TABLE invoices ADD COLUMN given_back_cents INTEGER NOT NULL DEFAULT 0;
UPDATE invoices SET given_back_cents = coalesce((
  SELECT max(a.refunded_cents) FROM payment_attempts a
  WHERE a.hub_id = invoices.hub_id AND a.invoice_id = invoices.invoice_id AND a.collection = invoices.collection), 0);
CREATE TRIGGER invoices_give_back AFTER UPDATE OF refunded_cents ON payment_attempts
WHEN OLD.refunded_cents <> NEW.refunded_cents BEGIN
  UPDATE invoices SET given_back_cents = NEW.refunded_cents
  WHERE hub_id = NEW.hub_id AND invoice_id = NEW.invoice_id AND collection = NEW.collection;
END;
CREATE TRIGGER invoices_collect_again AFTER UPDATE OF collection ON invoices WHEN OLD.collection <> NEW.collection BEGIN
  UPDATE invoices SET given_back_cents = 0 WHERE hub_id = NEW.hub_id AND invoice_id = NEW.invoice_id;
END;

-- Two states that a day or a sum makes of a status.
CREATE INDEX invoices_overdue ON invoices (hub_id, coalesce(due_date, ''), id_number)
  WHERE gone_at IS NULL AND overlay = 'none' AND status = 'open';
CREATE INDEX invoices_partly_refunded ON invoices (hub_id, id_number)
  WHERE gone_at IS NULL AND overlay = 'paid' AND given_back_cents > 0;
