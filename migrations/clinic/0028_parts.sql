-- An invoice that is paid in parts, where the account allows it (1) and staff opened it.
ALTER TABLE hubs ADD COLUMN takes_parts INTEGER NOT NULL DEFAULT 0 CHECK (takes_parts IN (0, 1));

-- Which part of its collection an attempt pays. A whole payment is part 1.
ALTER TABLE payment_attempts ADD COLUMN part INTEGER NOT NULL DEFAULT 1 CHECK (part BETWEEN 1 AND 99);

-- The lock of 0004 with the part in it: a part is paid once. A whole payment is part 1, so for it nothing changes. And one
-- is under way at a time, by link or at a terminal: only then is what is left a number to claim from.
DROP INDEX payment_attempts_one_live;
CREATE UNIQUE INDEX payment_attempts_one_live ON payment_attempts (hub_id, invoice_id, collection, part)
  WHERE state IN ('sent', 'unknown', 'pending', 'approved');
CREATE UNIQUE INDEX payment_attempts_in_flight ON payment_attempts (hub_id, invoice_id, collection)
  WHERE state IN ('sent', 'unknown', 'pending');

-- A collection in parts. What it is to come to never changes: what is owed is that less the approved parts, and the CRM's
-- balance is only compared. A collection without a row is paid whole.
CREATE TABLE collections (
  hub_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  base_cents INTEGER NOT NULL CHECK (base_cents > 0),
  -- No part is smaller, and none leaves less behind.
  min_cents INTEGER NOT NULL CHECK (min_cents BETWEEN 1 AND base_cents),
  -- What the pay page offers as the first part; none: it offers none.
  deposit_cents INTEGER CHECK (deposit_cents BETWEEN min_cents AND base_cents - min_cents),
  max_parts INTEGER NOT NULL CHECK (max_parts BETWEEN 1 AND 12),
  -- What was paid in parts before this collection and is not part of its base.
  paid_before_cents INTEGER NOT NULL DEFAULT 0 CHECK (paid_before_cents >= 0),
  -- The CRM's balance and billed sum in the request that opened it.
  crm_balance_cents INTEGER NOT NULL,
  crm_billed_cents INTEGER,
  -- 'frozen': the CRM has shown something else, and a person decides; 'closed': nothing more is paid in it.
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'frozen', 'closed')),
  opened_by INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  -- What the CRM showed when it was frozen; none: no balance.
  frozen_balance_cents INTEGER,
  frozen_at INTEGER,
  PRIMARY KEY (hub_id, invoice_id, n),
  FOREIGN KEY (hub_id, invoice_id) REFERENCES invoices (hub_id, invoice_id)
) STRICT;
CREATE INDEX collections_frozen ON collections (hub_id, frozen_at) WHERE state = 'frozen';

CREATE TRIGGER collections_keep_their_base BEFORE UPDATE ON collections
WHEN (OLD.hub_id, OLD.invoice_id, OLD.n, OLD.base_cents, OLD.min_cents, OLD.deposit_cents, OLD.max_parts,
    OLD.paid_before_cents, OLD.crm_balance_cents, OLD.crm_billed_cents, OLD.opened_by, OLD.opened_at)
  IS NOT (NEW.hub_id, NEW.invoice_id, NEW.n, NEW.base_cents, NEW.min_cents, NEW.deposit_cents, NEW.max_parts,
    NEW.paid_before_cents, NEW.crm_balance_cents, NEW.crm_billed_cents, NEW.opened_by, NEW.opened_at)
  OR (OLD.state = 'closed' AND NEW.state <> 'closed') OR (OLD.state = 'frozen' AND NEW.state = 'open')
BEGIN
  SELECT RAISE(ABORT, 'what a collection was opened with never changes');
END;

-- Part of every claim, so that no two of them meet the same rest: in a collection in parts, an attempt is the next part and
-- one that may still be taken; in all others it is part 1. A claim that is not does nothing, as one that lost.
CREATE TRIGGER parts_claimed BEFORE INSERT ON payment_attempts
WHEN NEW.state = 'sent' AND iif(
  EXISTS (SELECT 1 FROM collections c WHERE c.hub_id = NEW.hub_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection),
  NOT EXISTS (SELECT 1 FROM (
      SELECT c.*, c.base_cents - NEW.amount_cents - coalesce((SELECT sum(a.amount_cents - a.refunded_cents)
          FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id AND a.collection = c.n
            AND a.state IN ('sent', 'unknown', 'pending', 'approved')), 0) AS rest_cents
      FROM collections c WHERE c.hub_id = NEW.hub_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection) c
    WHERE c.state = 'open' AND NEW.method = 'card' AND NEW.part <= c.max_parts
      AND NEW.part = 1 + (SELECT count(*) FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
        AND a.collection = c.n AND a.state IN ('approved', 'voided', 'refunded', 'returned'))
      AND NEW.amount_cents >= c.min_cents
      AND (c.rest_cents = 0 OR (c.rest_cents >= c.min_cents AND NEW.part < c.max_parts))
      -- A part that was released as not charged may still show up for a day. Under its key the gateway takes the same amount
      -- once, but another one again.
      AND NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
        AND a.collection = c.n AND a.part = NEW.part AND a.state = 'not_charged' AND a.amount_cents <> NEW.amount_cents
        AND a.settled_at > NEW.created_at - 86400000)),
  NEW.part <> 1)
BEGIN
  SELECT RAISE(IGNORE);
END;

-- Of the present collection in parts: what is paid in all and what was, those of earlier collections included. None: it
-- is paid whole.
ALTER TABLE invoices ADD COLUMN part_base_cents INTEGER;
ALTER TABLE invoices ADD COLUMN part_paid_cents INTEGER NOT NULL DEFAULT 0;

CREATE VIEW part_sums AS
  SELECT c.hub_id, c.invoice_id, c.n, c.paid_before_cents + c.base_cents AS base_cents,
    c.paid_before_cents + coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
      WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id AND a.collection = c.n AND a.state = 'approved'), 0)
      AS paid_cents
  FROM collections c;

CREATE TRIGGER collections_opened AFTER INSERT ON collections BEGIN
  UPDATE invoices SET (part_base_cents, part_paid_cents) = (SELECT base_cents, paid_cents FROM part_sums
      WHERE hub_id = NEW.hub_id AND invoice_id = NEW.invoice_id AND n = NEW.n)
    WHERE hub_id = NEW.hub_id AND invoice_id = NEW.invoice_id AND collection = NEW.n;
END;
-- Both are emptied by the statement that begins the next collection. By a trigger of ours they would be emptied between
-- the two that keep the sums of what is owed, which would then count the invoice twice.
CREATE TRIGGER invoices_next_collection BEFORE UPDATE OF collection ON invoices
WHEN OLD.collection <> NEW.collection AND NEW.part_base_cents IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'the sums of a collection in parts end with it');
END;
CREATE TRIGGER parts_paid AFTER UPDATE OF state, refunded_cents ON payment_attempts
WHEN (OLD.state, OLD.refunded_cents) <> (NEW.state, NEW.refunded_cents) AND 'approved' IN (OLD.state, NEW.state) BEGIN
  UPDATE invoices SET part_paid_cents = s.paid_cents FROM part_sums s
    WHERE s.hub_id = NEW.hub_id AND s.invoice_id = NEW.invoice_id AND s.n = NEW.collection
      AND invoices.hub_id = NEW.hub_id AND invoices.invoice_id = NEW.invoice_id AND invoices.collection = NEW.collection;
END;

-- What is left of an invoice, in lists and in what is owed: of one in parts, by its base and not by the CRM's balance.
ALTER TABLE invoices ADD COLUMN list_balance_cents INTEGER GENERATED ALWAYS AS (iif(overlay = 'paid', 0,
  iif(overlay = 'none' AND status = 'open' AND part_base_cents IS NOT NULL, part_base_cents - part_paid_cents, balance_cents)))
  VIRTUAL;
DROP INDEX invoices_by_balance;
CREATE INDEX invoices_by_balance ON invoices (hub_id, coalesce(list_balance_cents, -9007199254740991), id_number)
  WHERE gone_at IS NULL;
DROP INDEX open_invoices_by_balance;
CREATE INDEX open_invoices_by_balance ON invoices (hub_id, coalesce(list_balance_cents, -9007199254740991), id_number)
  WHERE gone_at IS NULL AND (overlay <> 'none' OR status IN ('open', 'paid'));
CREATE INDEX invoices_partly_paid ON invoices (hub_id, id_number)
  WHERE gone_at IS NULL AND overlay = 'none' AND status = 'open' AND part_paid_cents > 0;
-- Those whose amount in the CRM is watched, by when it was read.
CREATE INDEX invoices_in_parts ON invoices (read_at)
  WHERE part_base_cents IS NOT NULL AND overlay = 'none' AND gone_at IS NULL;

-- With the rest of a part in it. What keeps the sums hears of parts as well, in the same two triggers: a statement may
-- change a part and a status, and each counts once.
DROP VIEW owed_invoices;
CREATE VIEW owed_invoices AS
  SELECT rowid AS doc, hub_id, coalesce(due_date, '') AS due_day, list_balance_cents AS cents, contact_id FROM invoices
  WHERE gone_at IS NULL AND overlay = 'none' AND status = 'open' AND balance_cents > 0 AND currency = 'USD';

DROP TRIGGER invoices_owe_before_change;
CREATE TRIGGER invoices_owe_before_change
BEFORE UPDATE OF status, overlay, gone_at, currency, due_date, balance_cents, part_base_cents, part_paid_cents ON invoices
WHEN OLD.status = 'open' AND (OLD.status, OLD.overlay, OLD.gone_at, OLD.currency, OLD.due_date,
    OLD.balance_cents, OLD.part_base_cents, OLD.part_paid_cents)
  IS NOT (NEW.status, NEW.overlay, NEW.gone_at, NEW.currency, NEW.due_date,
    NEW.balance_cents, NEW.part_base_cents, NEW.part_paid_cents)
BEGIN
  UPDATE owed_totals SET n = owed_totals.n - 1, cents = owed_totals.cents - owed.cents FROM owed_invoices AS owed
    WHERE owed.doc = OLD.rowid AND owed_totals.hub_id = owed.hub_id AND owed_totals.due_day = owed.due_day;
  DELETE FROM owed_totals WHERE hub_id = OLD.hub_id AND due_day = coalesce(OLD.due_date, '') AND n = 0;
END;
DROP TRIGGER invoices_owe_changed;
CREATE TRIGGER invoices_owe_changed
AFTER UPDATE OF status, overlay, gone_at, currency, due_date, balance_cents, part_base_cents, part_paid_cents ON invoices
WHEN NEW.status = 'open' AND (OLD.status, OLD.overlay, OLD.gone_at, OLD.currency, OLD.due_date,
    OLD.balance_cents, OLD.part_base_cents, OLD.part_paid_cents)
  IS NOT (NEW.status, NEW.overlay, NEW.gone_at, NEW.currency, NEW.due_date,
    NEW.balance_cents, NEW.part_base_cents, NEW.part_paid_cents)
BEGIN
  INSERT INTO owed_totals (hub_id, due_day, n, cents)
    SELECT hub_id, due_day, 1, cents FROM owed_invoices WHERE doc = NEW.rowid
    ON CONFLICT (hub_id, due_day) DO UPDATE SET n = n + 1, cents = cents + excluded.cents;
END;

DROP TRIGGER invoices_customer_owes_before_change;
CREATE TRIGGER invoices_customer_owes_before_change
BEFORE UPDATE OF status, overlay, gone_at, currency, due_date, balance_cents, part_base_cents, part_paid_cents, contact_id ON invoices
WHEN OLD.status = 'open'
  AND (OLD.status, OLD.overlay, OLD.gone_at, OLD.currency, OLD.due_date,
    OLD.balance_cents, OLD.part_base_cents, OLD.part_paid_cents, OLD.contact_id)
  IS NOT (NEW.status, NEW.overlay, NEW.gone_at, NEW.currency, NEW.due_date,
    NEW.balance_cents, NEW.part_base_cents, NEW.part_paid_cents, NEW.contact_id)
BEGIN
  UPDATE contacts SET owed_cents = owed_cents - o.cents FROM owed_invoices o
    WHERE o.doc = OLD.rowid AND contacts.hub_id = o.hub_id AND contacts.contact_id = o.contact_id;
END;
DROP TRIGGER invoices_customer_owes_changed;
CREATE TRIGGER invoices_customer_owes_changed
AFTER UPDATE OF status, overlay, gone_at, currency, due_date, balance_cents, part_base_cents, part_paid_cents, contact_id ON invoices
WHEN 'open' IN (OLD.status, NEW.status)
  AND (OLD.status, OLD.overlay, OLD.gone_at, OLD.currency, OLD.due_date,
    OLD.balance_cents, OLD.part_base_cents, OLD.part_paid_cents, OLD.contact_id)
  IS NOT (NEW.status, NEW.overlay, NEW.gone_at, NEW.currency, NEW.due_date,
    NEW.balance_cents, NEW.part_base_cents, NEW.part_paid_cents, NEW.contact_id)
BEGIN
  UPDATE contacts SET owed_cents = owed_cents + o.cents FROM owed_invoices o
    WHERE o.doc = NEW.rowid AND contacts.hub_id = o.hub_id AND contacts.contact_id = o.contact_id;
  UPDATE contacts SET first_due = s.first_due FROM customer_sums s
    WHERE s.doc = contacts.rowid AND contacts.hub_id = NEW.hub_id AND contacts.contact_id IN (OLD.contact_id, NEW.contact_id)
      AND contacts.first_due <> s.first_due;
END;

-- Of a collection in parts, money of several payments may have gone back.
DROP TRIGGER invoices_give_back;
CREATE TRIGGER invoices_give_back AFTER UPDATE OF refunded_cents ON payment_attempts
WHEN OLD.refunded_cents <> NEW.refunded_cents BEGIN
  UPDATE invoices SET given_back_cents = given_back_cents + NEW.refunded_cents - OLD.refunded_cents
  WHERE hub_id = NEW.hub_id AND invoice_id = NEW.invoice_id AND collection = NEW.collection;
END;
