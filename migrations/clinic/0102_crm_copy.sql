-- These tables hold the copies of the CRM's invoices, contacts and companies, and the progress of the CRM sync.

-- Last copy of each CRM invoice with its contact and company, plus our local status. CRM ids are unique only together
-- with the account.
CREATE TABLE invoices (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  invoice_id TEXT NOT NULL,
  number TEXT NOT NULL,
  status TEXT NOT NULL,
  currency TEXT NOT NULL,
  balance_cents INTEGER,
  billed_cents INTEGER,
  due_date TEXT,
  invoice_date TEXT,
  contact_id TEXT NOT NULL DEFAULT '',
  contact_first_name TEXT NOT NULL DEFAULT '',
  contact_last_name TEXT NOT NULL DEFAULT '',
  contact_email TEXT NOT NULL DEFAULT '',
  company_id TEXT NOT NULL DEFAULT '',
  company_name TEXT NOT NULL DEFAULT '',
  company_address TEXT NOT NULL DEFAULT '',
  company_city TEXT NOT NULL DEFAULT '',
  company_state TEXT NOT NULL DEFAULT '',
  company_zip TEXT NOT NULL DEFAULT '',
  -- Creation and last change in the CRM.
  created_at INTEGER NOT NULL DEFAULT 0,
  modified_at INTEGER NOT NULL DEFAULT 0,
  read_at INTEGER NOT NULL,
  -- Number of the last full CRM pass that found this invoice; deleted_at: time at which the CRM no longer had it.
  seen_pass INTEGER NOT NULL DEFAULT 0,
  deleted_at INTEGER,
  -- Current collection of this invoice; "collect again" by staff opens the next one.
  collection INTEGER NOT NULL DEFAULT 1,
  -- Status of that collection according to our ledger; any value but 'none' overrides the CRM's status.
  local_status TEXT NOT NULL DEFAULT 'none' CHECK (local_status IN ('none', 'submitted', 'paid', 'refunded', 'voided', 'returned')),
  -- Status and balance for lists and their sort order: ours override the CRM's.
  shown_status TEXT GENERATED ALWAYS AS (CASE local_status WHEN 'none' THEN status ELSE local_status END) VIRTUAL,
  shown_balance_cents INTEGER GENERATED ALWAYS AS (CASE local_status WHEN 'paid' THEN 0 ELSE balance_cents END) VIRTUAL,
  -- CRM ids are decimal numbers and sort as numbers.
  id_number INTEGER GENERATED ALWAYS AS (CAST(invoice_id AS INTEGER)) VIRTUAL,
  -- Cents refunded or voided in the current collection.
  given_back_cents INTEGER NOT NULL DEFAULT 0,
  -- Payment time according to the CRM (UTC ms; a day without a time counts as its midnight UTC). NULL: none.
  paid_at INTEGER,
  -- The contact's address at the last read, masked ("4•• M•••• St, 46•••"); empty: incomplete. The address itself stays
  -- in the CRM.
  contact_masked_address TEXT NOT NULL DEFAULT '',
  -- Preferred language of the contact, in the CRM's notation ("es", "en-us"); empty: none.
  contact_language TEXT NOT NULL DEFAULT '',
  -- Line items at the last read for the pay page, as JSON; empty: not read, or not shown.
  bill_lines TEXT NOT NULL DEFAULT '',
  -- Base and paid amount (cents) of a current collection in installments, earlier collections included.
  -- collection_base_cents is NULL if the invoice is due in one payment.
  collection_base_cents INTEGER,
  collection_paid_cents INTEGER NOT NULL DEFAULT 0,
  -- Open balance in lists and totals. With installments it follows the base, not the CRM's balance.
  list_balance_cents INTEGER GENERATED ALWAYS AS (iif(local_status = 'paid', 0,
    iif(local_status = 'none' AND status = 'open' AND collection_base_cents IS NOT NULL, collection_base_cents - collection_paid_cents, balance_cents)))
    VIRTUAL,
  PRIMARY KEY (account_id, invoice_id)
) STRICT;
-- Finds a company's invoices when its name changes.
CREATE INDEX invoices_by_company_id ON invoices (account_id, company_id) WHERE deleted_at IS NULL;
-- Each sort order of a list has its own index, which keeps the list fast at any size. The id comes last, so that equal
-- values have an order too. A page then takes two index seeks. NULL would break this, since it equals nothing, so a
-- missing value gets a key that sorts before every real one.
CREATE INDEX invoices_by_id ON invoices (account_id, id_number) WHERE deleted_at IS NULL;
CREATE INDEX invoices_by_number ON invoices (account_id, number COLLATE NOCASE, id_number) WHERE deleted_at IS NULL;
CREATE INDEX invoices_by_billed ON invoices (account_id, coalesce(billed_cents, -9007199254740991), id_number)
  WHERE deleted_at IS NULL;
CREATE INDEX invoices_by_due ON invoices (account_id, coalesce(due_date, ''), id_number) WHERE deleted_at IS NULL;
CREATE INDEX invoices_by_created ON invoices (account_id, created_at, id_number) WHERE deleted_at IS NULL;
CREATE INDEX invoices_by_modified ON invoices (account_id, modified_at, id_number) WHERE deleted_at IS NULL;
CREATE INDEX invoices_by_status ON invoices (account_id, shown_status, id_number) WHERE deleted_at IS NULL;
CREATE INDEX invoices_by_contact ON invoices (account_id, contact_id) WHERE deleted_at IS NULL;
-- Open Invoices excludes drafts and invoices voided in the CRM, unless they have a local status.
CREATE INDEX open_invoices_by_number ON invoices (account_id, number COLLATE NOCASE, id_number)
  WHERE deleted_at IS NULL AND (local_status <> 'none' OR status IN ('open', 'paid'));
CREATE INDEX open_invoices_by_company ON invoices (account_id, company_name COLLATE NOCASE, id_number)
  WHERE deleted_at IS NULL AND (local_status <> 'none' OR status IN ('open', 'paid'));
CREATE INDEX open_invoices_by_customer
  ON invoices (account_id, trim(contact_first_name || ' ' || contact_last_name) COLLATE NOCASE, id_number)
  WHERE deleted_at IS NULL AND (local_status <> 'none' OR status IN ('open', 'paid'));
CREATE INDEX open_invoices_by_due ON invoices (account_id, coalesce(due_date, ''), id_number)
  WHERE deleted_at IS NULL AND (local_status <> 'none' OR status IN ('open', 'paid'));
CREATE INDEX open_invoices_by_status ON invoices (account_id, shown_status, id_number)
  WHERE deleted_at IS NULL AND (local_status <> 'none' OR status IN ('open', 'paid'));
-- Invoices that a full CRM pass did not find: always few among very many.
CREATE INDEX invoices_unmet ON invoices (account_id, seen_pass) WHERE deleted_at IS NULL;
CREATE INDEX invoices_gone_with_names ON invoices (deleted_at)
  WHERE deleted_at IS NOT NULL AND contact_first_name || contact_last_name || contact_email || company_name
    || company_address || company_city || company_state || company_zip <> '';
CREATE INDEX invoices_partly_refunded ON invoices (account_id, id_number)
  WHERE deleted_at IS NULL AND local_status = 'paid' AND given_back_cents > 0;
CREATE INDEX invoices_paid ON invoices (account_id, paid_at) WHERE paid_at IS NOT NULL;
CREATE INDEX invoices_overdue ON invoices (account_id, coalesce(due_date, ''), id_number)
  WHERE deleted_at IS NULL AND local_status = 'none' AND status = 'open' AND balance_cents > 0;
-- Status order of Open Invoices: open balances first, earliest due date at the top; then each other status, latest due
-- date first. The order does not depend on today's date: overdue invoices come first by their due date.
CREATE INDEX open_invoices_owed_first ON invoices (
  account_id,
  CASE WHEN local_status = 'none' AND status = 'open' AND balance_cents > 0 THEN '0' || coalesce(due_date, '9')
    ELSE '1' || shown_status || ' ' || (99999999 - replace(coalesce(due_date, ''), '-', '')) END,
  id_number
) WHERE deleted_at IS NULL AND (local_status <> 'none' OR status IN ('open', 'paid'));
CREATE INDEX invoices_with_lines ON invoices (account_id) WHERE bill_lines <> '';
CREATE INDEX invoices_open_by_contact ON invoices (account_id, contact_id, coalesce(due_date, ''))
  WHERE deleted_at IS NULL AND local_status = 'none' AND status = 'open';
CREATE INDEX invoices_by_balance ON invoices (account_id, coalesce(list_balance_cents, -9007199254740991), id_number)
  WHERE deleted_at IS NULL;
CREATE INDEX open_invoices_by_balance ON invoices (account_id, coalesce(list_balance_cents, -9007199254740991), id_number)
  WHERE deleted_at IS NULL AND (local_status <> 'none' OR status IN ('open', 'paid'));
CREATE INDEX invoices_partly_paid ON invoices (account_id, id_number)
  WHERE deleted_at IS NULL AND local_status = 'none' AND status = 'open' AND collection_paid_cents > 0;
-- Invoices whose CRM amount is watched, by the time of the last read.
CREATE INDEX invoices_in_parts ON invoices (read_at)
  WHERE collection_base_cents IS NOT NULL AND local_status = 'none' AND deleted_at IS NULL;
-- Open invoices without a readable amount in the CRM: payers get no request until staff correct the amount there.
CREATE INDEX invoices_unreadable ON invoices (account_id, modified_at, invoice_id)
  WHERE deleted_at IS NULL AND local_status = 'none' AND status = 'open' AND currency = 'USD' AND balance_cents IS NULL
    AND collection_base_cents IS NULL;
CREATE INDEX invoices_unreadable_by_contact ON invoices (account_id, contact_id)
  WHERE deleted_at IS NULL AND local_status = 'none' AND status = 'open' AND currency = 'USD' AND balance_cents IS NULL
    AND collection_base_cents IS NULL;

CREATE TABLE contacts (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  contact_id TEXT NOT NULL,
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  email TEXT NOT NULL DEFAULT '',
  phone TEXT NOT NULL DEFAULT '',
  -- Company as the contact states it, not the name of a linked company record.
  company TEXT NOT NULL DEFAULT '',
  -- Linked company record; empty if the contact names a company itself, or has no link. A new name of that record is
  -- copied to its contacts.
  company_id TEXT NOT NULL DEFAULT '',
  address TEXT NOT NULL DEFAULT '',
  city TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT '',
  zip TEXT NOT NULL DEFAULT '',
  modified_at INTEGER NOT NULL DEFAULT 0,
  read_at INTEGER NOT NULL,
  seen_pass INTEGER NOT NULL DEFAULT 0,
  deleted_at INTEGER,
  id_number INTEGER GENERATED ALWAYS AS (CAST(contact_id AS INTEGER)) VIRTUAL,
  -- Open balance in US dollars (cents); its earliest due day, past or future, empty if nothing has one; and time of the
  -- latest payment (UTC ms; 0: never). Triggers maintain all three.
  owed_cents INTEGER NOT NULL DEFAULT 0,
  first_due TEXT NOT NULL DEFAULT '',
  last_paid_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, contact_id)
) STRICT;
CREATE INDEX contacts_by_name ON contacts (account_id, trim(first_name || ' ' || last_name) COLLATE NOCASE, id_number)
  WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_email ON contacts (account_id, email COLLATE NOCASE, id_number) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_phone ON contacts (account_id, phone, id_number) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_company ON contacts (account_id, company COLLATE NOCASE, id_number) WHERE deleted_at IS NULL;
CREATE INDEX contacts_unmet ON contacts (account_id, seen_pass) WHERE deleted_at IS NULL;
-- Finds a company's contacts when its name changes.
CREATE INDEX contacts_by_company_id ON contacts (account_id, company_id) WHERE company_id <> '';
-- Contacts that the CRM no longer has.
CREATE INDEX contacts_gone ON contacts (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX contacts_by_owed ON contacts (account_id, owed_cents, id_number) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_last_paid ON contacts (account_id, last_paid_at, id_number) WHERE deleted_at IS NULL;
CREATE INDEX contacts_owing ON contacts (account_id, first_due, id_number) WHERE deleted_at IS NULL AND owed_cents > 0;

CREATE TABLE companies (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  company_id TEXT NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  address TEXT NOT NULL DEFAULT '',
  city TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT '',
  zip TEXT NOT NULL DEFAULT '',
  modified_at INTEGER NOT NULL DEFAULT 0,
  read_at INTEGER NOT NULL,
  seen_pass INTEGER NOT NULL DEFAULT 0,
  deleted_at INTEGER,
  PRIMARY KEY (account_id, company_id)
) STRICT;
CREATE INDEX companies_unmet ON companies (account_id, seen_pass) WHERE deleted_at IS NULL;
CREATE INDEX companies_gone ON companies (deleted_at) WHERE deleted_at IS NOT NULL;

-- One row per account: the lease of the CRM sync, the CRM's availability, and the progress of the copy.
CREATE TABLE crm_sync_states (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  -- One sync at a time. If its holder dies, the next sync starts when the lease expires.
  lease_id TEXT NOT NULL DEFAULT '',
  lease_until INTEGER NOT NULL DEFAULT 0,
  -- Start of the last sync; time before which the CRM accepts no requests; time of the schedule's next sync.
  requested_at INTEGER NOT NULL DEFAULT 0,
  wait_until INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL DEFAULT 0,
  -- Last time that staff viewed CRM data: only after a recent view does the sync request changes each minute.
  looked_at INTEGER NOT NULL DEFAULT 0,
  -- as_of: the copy shows the CRM as it was at this instant; failing_since: start of the CRM's current outage.
  as_of INTEGER,
  failing_since INTEGER,
  -- Times at which the newest records, and then all records, had been copied.
  first_page_at INTEGER,
  complete_at INTEGER,
  -- Progress until complete_at, over all kinds of records.
  copied INTEGER NOT NULL DEFAULT 0,
  expected INTEGER NOT NULL DEFAULT 0,
  -- The kind of the CRM's last error, for the operator; it is the current one while failing_since is set.
  failure TEXT NOT NULL DEFAULT ''
) STRICT;

-- One row per account and kind of record. Each step commits its cursor in one transaction with its last rows, so that a
-- worker that dies between two steps loses nothing and repeats one page at most.
CREATE TABLE crm_cursors (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  kind TEXT NOT NULL CHECK (kind IN ('companies', 'contacts', 'invoices')),
  -- The full pass in progress, or the last one: first all pages, then a check by id of records that no page had.
  pass INTEGER NOT NULL DEFAULT 0,
  stage TEXT NOT NULL DEFAULT 'ended' CHECK (stage IN ('pages', 'unmet', 'ended')),
  began_at INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER,
  -- The CRM's own cursor for the next page.
  page_after TEXT,
  copied INTEGER NOT NULL DEFAULT 0,
  expected INTEGER NOT NULL DEFAULT 0,
  -- Changes before this time on the CRM's clock are copied; of those at exactly this time, ids up to changed_tie.
  changed_since INTEGER NOT NULL DEFAULT 0,
  changed_tie TEXT,
  -- Walk over the CRM's deleted records: the next page, and the end of the last walk.
  archived_after TEXT,
  archived_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, kind)
) STRICT, WITHOUT ROWID;

-- The counts of lists and statuses that include an invoice.
CREATE VIEW invoice_tallies AS
  SELECT rowid AS doc, account_id, 'invoices' AS list, '*' AS status FROM invoices WHERE deleted_at IS NULL
  UNION ALL
  SELECT rowid, account_id, 'invoices', shown_status FROM invoices WHERE deleted_at IS NULL
  UNION ALL
  SELECT rowid, account_id, 'open-invoices', '*' FROM invoices
  WHERE deleted_at IS NULL AND (local_status <> 'none' OR status IN ('open', 'paid'))
  UNION ALL
  SELECT rowid, account_id, 'open-invoices', shown_status FROM invoices
  WHERE deleted_at IS NULL AND (local_status <> 'none' OR status IN ('open', 'paid'));

CREATE VIEW search_texts AS
  SELECT 'invoices' AS list, rowid AS doc, account_id,
    number || ' ' || contact_first_name || ' ' || contact_last_name || ' ' || company_name AS text
  FROM invoices WHERE deleted_at IS NULL
  UNION ALL
  -- A phone number matches as it is written, and by its digits with or without the country code.
  SELECT 'customers', doc, account_id,
    names || ' ' || phone || CASE digits WHEN '' THEN '' ELSE ' ' || digits || ' ' || substr(digits, -10) END
  FROM (
    SELECT rowid AS doc, account_id, phone, first_name || ' ' || last_name || ' ' || email || ' ' || company AS names,
      replace(replace(replace(replace(replace(replace(replace(
        phone, ' ', ''), '-', ''), '(', ''), ')', ''), '.', ''), '/', ''), '+', '') AS digits
    FROM contacts WHERE deleted_at IS NULL
  );

-- Words are split at the same characters as by searchWords in worker/data/lists/selection.ts. Special letters without
-- an accent to remove are spelled with plain letters, as by plainLetters in shared/text/folded.ts.
CREATE VIEW search_words AS
  SELECT list, doc, account || replace(trim(replace(replace(cut, '  ', ' '), '  ', ' ')), ' ', ' ' || account) AS words
  FROM (
    SELECT list, doc, 'h' || account_id || '_' AS account,
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        plain, '_', ' '), '-', ' '), '.', ' '), ',', ' '), ':', ' '), ';', ' '), '/', ' '), '\', ' '), '@', ' '),
        '''', ' '), '’', ' '), '"', ' '), '(', ' '), ')', ' '), '[', ' '), ']', ' '), '<', ' '), '>', ' '), '&', ' '),
        '+', ' '), '#', ' '), '*', ' '), '|', ' '), '–', ' '), '—', ' '), char(9), ' '), char(10), ' '), char(160), ' ')
      AS cut
    FROM (
      SELECT list, doc, account_id,
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        replace(replace(replace(replace(replace(replace(replace(replace(text, 'ð', 'd'), 'Ð', 'd'), 'đ', 'd'),
          'Đ', 'd'), 'ħ', 'h'), 'Ħ', 'h'), 'ı', 'i'), 'ł', 'l'), 'Ł', 'l'), 'ø', 'o'), 'Ø', 'o'), 'ŧ', 't'),
          'Ŧ', 't'), 'þ', 'th'), 'Þ', 'th'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ß', 'ss'), 'ẞ', 'ss') AS plain
      FROM search_texts
    )
  );

-- Valid payments, under the invoice's current contact: neither voided nor returned by the bank. CROSS JOIN fixes the
-- join order: otherwise SQLite starts with all payments of the account.
CREATE VIEW customer_payments AS
  SELECT i.account_id, i.contact_id, l.at FROM invoices i
  CROSS JOIN payment_attempts a ON a.account_id = i.account_id AND a.invoice_id = i.invoice_id
  CROSS JOIN ledger l ON l.attempt_id = a.id AND l.kind = 'payment'
  WHERE i.deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM ledger b WHERE b.attempt_id = a.id AND b.kind IN ('void', 'return'));

-- Open balance, earliest due day and latest payment of each contact, recomputed from the rows.
CREATE VIEW customer_sums AS
  SELECT c.rowid AS doc,
    coalesce((SELECT sum(o.cents) FROM owed_invoices o
      WHERE o.account_id = c.account_id AND o.contact_id = c.contact_id), 0) AS owed_cents,
    coalesce((SELECT o.due_day FROM owed_invoices o
      WHERE o.account_id = c.account_id AND o.contact_id = c.contact_id AND o.due_day > '' ORDER BY o.due_day LIMIT 1), '')
      AS first_due,
    coalesce((SELECT max(p.at) FROM customer_payments p
      WHERE p.account_id = c.account_id AND p.contact_id = c.contact_id), 0) AS last_paid_at
  FROM contacts c;

CREATE VIEW owed_invoices AS
  SELECT rowid AS doc, account_id, coalesce(due_date, '') AS due_day, list_balance_cents AS cents, contact_id FROM invoices
  WHERE deleted_at IS NULL AND local_status = 'none' AND status = 'open' AND balance_cents > 0 AND currency = 'USD';

-- The rows of the lists of due and overdue invoices. Those in other currencies are counted, but not included in sums.
CREATE VIEW due_invoices AS
  SELECT rowid AS doc, account_id, coalesce(due_date, '') AS due_day, iif(currency = 'USD', list_balance_cents, 0) AS cents
  FROM invoices
  WHERE deleted_at IS NULL AND local_status = 'none' AND status = 'open' AND balance_cents > 0;

CREATE TRIGGER invoices_count_new AFTER INSERT ON invoices BEGIN
  INSERT INTO list_counts (account_id, list, status, n)
    SELECT account_id, list, status, 1 FROM invoice_tallies WHERE doc = NEW.rowid
    ON CONFLICT (account_id, list, status) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER invoices_uncount_changing BEFORE UPDATE OF status, local_status, deleted_at ON invoices
WHEN OLD.status <> NEW.status OR OLD.local_status <> NEW.local_status OR OLD.deleted_at IS NOT NEW.deleted_at
BEGIN
  UPDATE list_counts SET n = n - 1 WHERE account_id = OLD.account_id
    AND (list, status) IN (SELECT list, status FROM invoice_tallies WHERE doc = OLD.rowid);
END;

CREATE TRIGGER invoices_count_changed AFTER UPDATE OF status, local_status, deleted_at ON invoices
WHEN OLD.status <> NEW.status OR OLD.local_status <> NEW.local_status OR OLD.deleted_at IS NOT NEW.deleted_at
BEGIN
  INSERT INTO list_counts (account_id, list, status, n)
    SELECT account_id, list, status, 1 FROM invoice_tallies WHERE doc = NEW.rowid
    ON CONFLICT (account_id, list, status) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER invoices_uncount_deleted BEFORE DELETE ON invoices BEGIN
  UPDATE list_counts SET n = n - 1 WHERE account_id = OLD.account_id
    AND (list, status) IN (SELECT list, status FROM invoice_tallies WHERE doc = OLD.rowid);
END;

CREATE TRIGGER contacts_count_new AFTER INSERT ON contacts WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO list_counts (account_id, list, status, n) VALUES (NEW.account_id, 'customers', '*', 1)
    ON CONFLICT (account_id, list, status) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER contacts_count_gone AFTER UPDATE OF deleted_at ON contacts
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL
BEGIN
  UPDATE list_counts SET n = n - 1 WHERE account_id = NEW.account_id AND list = 'customers' AND status = '*';
END;

CREATE TRIGGER contacts_count_back AFTER UPDATE OF deleted_at ON contacts
WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL
BEGIN
  INSERT INTO list_counts (account_id, list, status, n) VALUES (NEW.account_id, 'customers', '*', 1)
    ON CONFLICT (account_id, list, status) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER contacts_uncount_deleted AFTER DELETE ON contacts WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE list_counts SET n = n - 1 WHERE account_id = OLD.account_id AND list = 'customers' AND status = '*';
END;

CREATE TRIGGER invoices_search_new AFTER INSERT ON invoices WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO invoice_search (rowid, words) SELECT doc, words FROM search_words WHERE list = 'invoices' AND doc = NEW.rowid;
END;

CREATE TRIGGER invoices_search_changed
AFTER UPDATE OF number, contact_first_name, contact_last_name, company_name, deleted_at ON invoices
WHEN OLD.number <> NEW.number OR OLD.contact_first_name <> NEW.contact_first_name
  OR OLD.contact_last_name <> NEW.contact_last_name OR OLD.company_name <> NEW.company_name
  OR OLD.deleted_at IS NOT NEW.deleted_at
BEGIN
  DELETE FROM invoice_search WHERE rowid = OLD.rowid;
  INSERT INTO invoice_search (rowid, words) SELECT doc, words FROM search_words WHERE list = 'invoices' AND doc = NEW.rowid;
END;

CREATE TRIGGER invoices_search_deleted AFTER DELETE ON invoices BEGIN
  DELETE FROM invoice_search WHERE rowid = OLD.rowid;
END;

CREATE TRIGGER contacts_search_new AFTER INSERT ON contacts WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO customer_search (rowid, words)
    SELECT doc, words FROM search_words WHERE list = 'customers' AND doc = NEW.rowid;
END;

CREATE TRIGGER contacts_search_changed AFTER UPDATE OF first_name, last_name, email, phone, company, deleted_at ON contacts
WHEN OLD.first_name <> NEW.first_name OR OLD.last_name <> NEW.last_name OR OLD.email <> NEW.email
  OR OLD.phone <> NEW.phone OR OLD.company <> NEW.company OR OLD.deleted_at IS NOT NEW.deleted_at
BEGIN
  DELETE FROM customer_search WHERE rowid = OLD.rowid;
  INSERT INTO customer_search (rowid, words)
    SELECT doc, words FROM search_words WHERE list = 'customers' AND doc = NEW.rowid;
END;

CREATE TRIGGER contacts_search_deleted AFTER DELETE ON contacts BEGIN
  DELETE FROM customer_search WHERE rowid = OLD.rowid;
END;

CREATE TRIGGER invoices_owe_new AFTER INSERT ON invoices WHEN NEW.status = 'open' BEGIN
  INSERT INTO owed_totals (account_id, due_day, n, cents)
    SELECT account_id, due_day, 1, cents FROM due_invoices WHERE doc = NEW.rowid
    ON CONFLICT (account_id, due_day) DO UPDATE SET n = n + 1, cents = cents + excluded.cents;
END;

CREATE TRIGGER invoices_owe_deleted BEFORE DELETE ON invoices WHEN OLD.status = 'open' BEGIN
  UPDATE owed_totals SET n = owed_totals.n - 1, cents = owed_totals.cents - owed.cents FROM due_invoices AS owed
    WHERE owed.doc = OLD.rowid AND owed_totals.account_id = owed.account_id AND owed_totals.due_day = owed.due_day;
  DELETE FROM owed_totals WHERE account_id = OLD.account_id AND due_day = coalesce(OLD.due_date, '') AND n = 0;
END;

CREATE TRIGGER invoices_collect_again AFTER UPDATE OF collection ON invoices WHEN OLD.collection <> NEW.collection BEGIN
  UPDATE invoices SET given_back_cents = 0 WHERE account_id = NEW.account_id AND invoice_id = NEW.invoice_id;
END;

CREATE TRIGGER contacts_owing_changed AFTER UPDATE OF owed_cents, first_due, deleted_at ON contacts
WHEN (OLD.owed_cents, OLD.first_due, OLD.deleted_at) IS NOT (NEW.owed_cents, NEW.first_due, NEW.deleted_at)
BEGIN
  UPDATE owing_customers SET n = n - 1
    WHERE OLD.deleted_at IS NULL AND OLD.owed_cents > 0 AND account_id = OLD.account_id AND first_due = OLD.first_due;
  INSERT INTO owing_customers (account_id, first_due, n)
    SELECT NEW.account_id, NEW.first_due, 1 WHERE NEW.deleted_at IS NULL AND NEW.owed_cents > 0
    ON CONFLICT (account_id, first_due) DO UPDATE SET n = n + 1;
  DELETE FROM owing_customers WHERE account_id = OLD.account_id AND first_due = OLD.first_due AND n = 0;
END;

CREATE TRIGGER contacts_owing_deleted AFTER DELETE ON contacts WHEN OLD.deleted_at IS NULL AND OLD.owed_cents > 0 BEGIN
  UPDATE owing_customers SET n = n - 1 WHERE account_id = OLD.account_id AND first_due = OLD.first_due;
  DELETE FROM owing_customers WHERE account_id = OLD.account_id AND first_due = OLD.first_due AND n = 0;
END;

-- The sync may copy an invoice before its contact.
CREATE TRIGGER contacts_owe_new AFTER INSERT ON contacts BEGIN
  UPDATE contacts SET owed_cents = s.owed_cents, first_due = s.first_due, last_paid_at = s.last_paid_at
    FROM customer_sums s WHERE s.doc = NEW.rowid AND contacts.rowid = NEW.rowid;
END;

CREATE TRIGGER invoices_customer_owes_new AFTER INSERT ON invoices WHEN NEW.status = 'open' BEGIN
  UPDATE contacts SET owed_cents = owed_cents + o.cents,
      first_due = iif(o.due_day > '' AND (first_due = '' OR o.due_day < first_due), o.due_day, first_due)
    FROM owed_invoices o
    WHERE o.doc = NEW.rowid AND contacts.account_id = o.account_id AND contacts.contact_id = o.contact_id;
END;

CREATE TRIGGER invoices_customer_owes_deleted AFTER DELETE ON invoices
WHEN OLD.status = 'open' AND OLD.deleted_at IS NULL BEGIN
  UPDATE contacts SET owed_cents = s.owed_cents, first_due = s.first_due FROM customer_sums s
    WHERE s.doc = contacts.rowid AND contacts.account_id = OLD.account_id AND contacts.contact_id = OLD.contact_id;
END;

CREATE TRIGGER invoices_customer_paid_changed AFTER UPDATE OF deleted_at, contact_id ON invoices
WHEN (OLD.deleted_at IS NULL, OLD.contact_id) <> (NEW.deleted_at IS NULL, NEW.contact_id)
  AND EXISTS (SELECT 1 FROM payment_attempts a WHERE a.account_id = NEW.account_id AND a.invoice_id = NEW.invoice_id)
BEGIN
  UPDATE contacts SET last_paid_at = s.last_paid_at FROM customer_sums s
    WHERE s.doc = contacts.rowid AND contacts.account_id = NEW.account_id AND contacts.contact_id IN (OLD.contact_id, NEW.contact_id)
      AND contacts.last_paid_at <> s.last_paid_at;
END;

-- A lost payment that reconciliation recovered may be here before the sync copies its invoice again.
CREATE TRIGGER invoices_customer_paid_new AFTER INSERT ON invoices
WHEN EXISTS (SELECT 1 FROM payment_attempts a WHERE a.account_id = NEW.account_id AND a.invoice_id = NEW.invoice_id)
BEGIN
  UPDATE contacts SET last_paid_at = s.last_paid_at FROM customer_sums s
    WHERE s.doc = contacts.rowid AND contacts.account_id = NEW.account_id AND contacts.contact_id = NEW.contact_id;
END;

-- The statement that opens the next collection resets both columns. A trigger would reset them between the two triggers
-- that maintain the open balances, which would then count the invoice twice.
CREATE TRIGGER invoices_next_collection BEFORE UPDATE OF collection ON invoices
WHEN OLD.collection <> NEW.collection AND NEW.collection_base_cents IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'the sums of a collection in parts end with it');
END;

CREATE TRIGGER invoices_owe_before_change
BEFORE UPDATE OF status, local_status, deleted_at, currency, due_date, balance_cents, collection_base_cents, collection_paid_cents ON invoices
WHEN OLD.status = 'open' AND (OLD.status, OLD.local_status, OLD.deleted_at, OLD.currency, OLD.due_date,
    OLD.balance_cents, OLD.collection_base_cents, OLD.collection_paid_cents)
  IS NOT (NEW.status, NEW.local_status, NEW.deleted_at, NEW.currency, NEW.due_date,
    NEW.balance_cents, NEW.collection_base_cents, NEW.collection_paid_cents)
BEGIN
  UPDATE owed_totals SET n = owed_totals.n - 1, cents = owed_totals.cents - owed.cents FROM due_invoices AS owed
    WHERE owed.doc = OLD.rowid AND owed_totals.account_id = owed.account_id AND owed_totals.due_day = owed.due_day;
  DELETE FROM owed_totals WHERE account_id = OLD.account_id AND due_day = coalesce(OLD.due_date, '') AND n = 0;
END;

CREATE TRIGGER invoices_owe_changed
AFTER UPDATE OF status, local_status, deleted_at, currency, due_date, balance_cents, collection_base_cents, collection_paid_cents ON invoices
WHEN NEW.status = 'open' AND (OLD.status, OLD.local_status, OLD.deleted_at, OLD.currency, OLD.due_date,
    OLD.balance_cents, OLD.collection_base_cents, OLD.collection_paid_cents)
  IS NOT (NEW.status, NEW.local_status, NEW.deleted_at, NEW.currency, NEW.due_date,
    NEW.balance_cents, NEW.collection_base_cents, NEW.collection_paid_cents)
BEGIN
  INSERT INTO owed_totals (account_id, due_day, n, cents)
    SELECT account_id, due_day, 1, cents FROM due_invoices WHERE doc = NEW.rowid
    ON CONFLICT (account_id, due_day) DO UPDATE SET n = n + 1, cents = cents + excluded.cents;
END;

CREATE TRIGGER invoices_customer_owes_before_change
BEFORE UPDATE OF status, local_status, deleted_at, currency, due_date, balance_cents, collection_base_cents, collection_paid_cents, contact_id ON invoices
WHEN OLD.status = 'open'
  AND (OLD.status, OLD.local_status, OLD.deleted_at, OLD.currency, OLD.due_date,
    OLD.balance_cents, OLD.collection_base_cents, OLD.collection_paid_cents, OLD.contact_id)
  IS NOT (NEW.status, NEW.local_status, NEW.deleted_at, NEW.currency, NEW.due_date,
    NEW.balance_cents, NEW.collection_base_cents, NEW.collection_paid_cents, NEW.contact_id)
BEGIN
  UPDATE contacts SET owed_cents = owed_cents - o.cents FROM owed_invoices o
    WHERE o.doc = OLD.rowid AND contacts.account_id = o.account_id AND contacts.contact_id = o.contact_id;
END;

CREATE TRIGGER invoices_customer_owes_changed
AFTER UPDATE OF status, local_status, deleted_at, currency, due_date, balance_cents, collection_base_cents, collection_paid_cents, contact_id ON invoices
WHEN 'open' IN (OLD.status, NEW.status)
  AND (OLD.status, OLD.local_status, OLD.deleted_at, OLD.currency, OLD.due_date,
    OLD.balance_cents, OLD.collection_base_cents, OLD.collection_paid_cents, OLD.contact_id)
  IS NOT (NEW.status, NEW.local_status, NEW.deleted_at, NEW.currency, NEW.due_date,
    NEW.balance_cents, NEW.collection_base_cents, NEW.collection_paid_cents, NEW.contact_id)
BEGIN
  UPDATE contacts SET owed_cents = owed_cents + o.cents FROM owed_invoices o
    WHERE o.doc = NEW.rowid AND contacts.account_id = o.account_id AND contacts.contact_id = o.contact_id;
  UPDATE contacts SET first_due = s.first_due FROM customer_sums s
    WHERE s.doc = contacts.rowid AND contacts.account_id = NEW.account_id AND contacts.contact_id IN (OLD.contact_id, NEW.contact_id)
      AND contacts.first_due <> s.first_due;
END;
