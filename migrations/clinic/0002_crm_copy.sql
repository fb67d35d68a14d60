-- The copy of a hub's invoices, customers and companies, how far the copying has come, and what finds the rows of a list.

-- The last copy of a CRM invoice with its contact and company, and our overlay on it. CRM ids are only safe with the hub.
CREATE TABLE invoices (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
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
  -- When the CRM made and last changed it.
  created_at INTEGER NOT NULL DEFAULT 0,
  modified_at INTEGER NOT NULL DEFAULT 0,
  read_at INTEGER NOT NULL,
  -- The last full pass over the CRM that met this invoice, and when one no longer did.
  seen_pass INTEGER NOT NULL DEFAULT 0,
  gone_at INTEGER,
  -- Which collection of this invoice is under way; a merchant's "collect again" opens the next one.
  collection INTEGER NOT NULL DEFAULT 1,
  -- What our ledger says of that collection; it lies over whatever the CRM says.
  overlay TEXT NOT NULL DEFAULT 'none' CHECK (overlay IN ('none', 'submitted', 'paid', 'refunded', 'voided', 'returned')),
  -- What lists show and sort by: ours over the CRM's.
  shown_status TEXT GENERATED ALWAYS AS (CASE overlay WHEN 'none' THEN status ELSE overlay END) VIRTUAL,
  shown_balance_cents INTEGER GENERATED ALWAYS AS (CASE overlay WHEN 'paid' THEN 0 ELSE balance_cents END) VIRTUAL,
  -- The CRM's ids are decimal numbers; they sort as such.
  id_number INTEGER GENERATED ALWAYS AS (CAST(invoice_id AS INTEGER)) VIRTUAL,
  PRIMARY KEY (hub_id, invoice_id)
) STRICT;

CREATE TABLE contacts (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  contact_id TEXT NOT NULL,
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  email TEXT NOT NULL DEFAULT '',
  phone TEXT NOT NULL DEFAULT '',
  -- What the contact calls their company; not the name of a linked company record.
  company TEXT NOT NULL DEFAULT '',
  -- The company record that a contact is linked with; empty where the contact names a company itself, or has no link. A
  -- changed name of that record is written through.
  company_id TEXT NOT NULL DEFAULT '',
  address TEXT NOT NULL DEFAULT '',
  city TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT '',
  zip TEXT NOT NULL DEFAULT '',
  modified_at INTEGER NOT NULL DEFAULT 0,
  read_at INTEGER NOT NULL,
  seen_pass INTEGER NOT NULL DEFAULT 0,
  gone_at INTEGER,
  id_number INTEGER GENERATED ALWAYS AS (CAST(contact_id AS INTEGER)) VIRTUAL,
  PRIMARY KEY (hub_id, contact_id)
) STRICT;

CREATE TABLE companies (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  company_id TEXT NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  address TEXT NOT NULL DEFAULT '',
  city TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT '',
  zip TEXT NOT NULL DEFAULT '',
  modified_at INTEGER NOT NULL DEFAULT 0,
  read_at INTEGER NOT NULL,
  seen_pass INTEGER NOT NULL DEFAULT 0,
  gone_at INTEGER,
  PRIMARY KEY (hub_id, company_id)
) STRICT;

-- A changed company renames its invoices.
CREATE INDEX invoices_by_company_id ON invoices (hub_id, company_id) WHERE gone_at IS NULL;

-- One row per hub: who copies at the moment, whether the CRM answers, and how far the copy has come.
CREATE TABLE crm_copies (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
  -- One copies at a time. Who dies with the lease is succeeded when it has run out.
  lease_id TEXT NOT NULL DEFAULT '',
  lease_until INTEGER NOT NULL DEFAULT 0,
  -- When somebody last began to ask the CRM, until when it wants to be left alone, and when the schedule asks next.
  asked_at INTEGER NOT NULL DEFAULT 0,
  wait_until INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL DEFAULT 0,
  -- When somebody of the clinic last looked at what the CRM holds: only then its changes are asked for each minute.
  looked_at INTEGER NOT NULL DEFAULT 0,
  -- The copy shows the CRM as it was at this instant; since when it gives no answer.
  as_of INTEGER,
  failing_since INTEGER,
  -- When the newest records were here, and when all of them were.
  first_page_at INTEGER,
  complete_at INTEGER,
  -- Progress until then, all kinds together.
  copied INTEGER NOT NULL DEFAULT 0,
  expected INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX crm_copies_due ON crm_copies (due_at);

-- One row per hub and kind of record. A step saves its rows and the place to go on from in one transaction, so that a
-- worker that dies between two steps loses nothing and repeats at most one page.
CREATE TABLE crm_marks (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  kind TEXT NOT NULL CHECK (kind IN ('companies', 'contacts', 'invoices')),
  -- The full pass under way or the last one: first all pages, then a closer look at what no page had.
  pass INTEGER NOT NULL DEFAULT 0,
  stage TEXT NOT NULL DEFAULT 'ended' CHECK (stage IN ('pages', 'unmet', 'ended')),
  began_at INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER,
  -- The CRM's own mark of the page to read next.
  page_after TEXT,
  copied INTEGER NOT NULL DEFAULT 0,
  expected INTEGER NOT NULL DEFAULT 0,
  -- What the CRM changed before this instant of its clock is here; and, of that very instant, up to this id.
  changed_since INTEGER NOT NULL DEFAULT 0,
  changed_tie TEXT,
  -- The walk over what was deleted: its next page, and when it last ended.
  archived_after TEXT,
  archived_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (hub_id, kind)
) STRICT;

-- What makes a merchant's lists quick at any size is an index per sort order, ended by the id so that equal values have an
-- order too. A page is then two seeks in it. NULL would break that (it equals nothing): the key of a missing value is one
-- that sorts before every real one.
CREATE INDEX invoices_by_id ON invoices (hub_id, id_number) WHERE gone_at IS NULL;
CREATE INDEX invoices_by_number ON invoices (hub_id, number COLLATE NOCASE, id_number) WHERE gone_at IS NULL;
CREATE INDEX invoices_by_billed ON invoices (hub_id, coalesce(billed_cents, -9007199254740991), id_number)
  WHERE gone_at IS NULL;
CREATE INDEX invoices_by_balance ON invoices (hub_id, coalesce(shown_balance_cents, -9007199254740991), id_number)
  WHERE gone_at IS NULL;
CREATE INDEX invoices_by_due ON invoices (hub_id, coalesce(due_date, ''), id_number) WHERE gone_at IS NULL;
CREATE INDEX invoices_by_created ON invoices (hub_id, created_at, id_number) WHERE gone_at IS NULL;
CREATE INDEX invoices_by_modified ON invoices (hub_id, modified_at, id_number) WHERE gone_at IS NULL;
CREATE INDEX invoices_by_status ON invoices (hub_id, shown_status, id_number) WHERE gone_at IS NULL;
CREATE INDEX invoices_by_contact ON invoices (hub_id, contact_id) WHERE gone_at IS NULL;
CREATE INDEX invoices_open_by_contact ON invoices (hub_id, contact_id)
  WHERE gone_at IS NULL AND overlay = 'none' AND status = 'open';

-- Open Invoices leaves out drafts and what the CRM voided, unless something happened to them here.
CREATE INDEX open_invoices_by_number ON invoices (hub_id, number COLLATE NOCASE, id_number)
  WHERE gone_at IS NULL AND (overlay <> 'none' OR status IN ('open', 'paid'));
CREATE INDEX open_invoices_by_company ON invoices (hub_id, company_name COLLATE NOCASE, id_number)
  WHERE gone_at IS NULL AND (overlay <> 'none' OR status IN ('open', 'paid'));
CREATE INDEX open_invoices_by_customer
  ON invoices (hub_id, trim(contact_first_name || ' ' || contact_last_name) COLLATE NOCASE, id_number)
  WHERE gone_at IS NULL AND (overlay <> 'none' OR status IN ('open', 'paid'));
CREATE INDEX open_invoices_by_balance ON invoices (hub_id, coalesce(shown_balance_cents, -9007199254740991), id_number)
  WHERE gone_at IS NULL AND (overlay <> 'none' OR status IN ('open', 'paid'));
CREATE INDEX open_invoices_by_due ON invoices (hub_id, coalesce(due_date, ''), id_number)
  WHERE gone_at IS NULL AND (overlay <> 'none' OR status IN ('open', 'paid'));
CREATE INDEX open_invoices_by_status ON invoices (hub_id, shown_status, id_number)
  WHERE gone_at IS NULL AND (overlay <> 'none' OR status IN ('open', 'paid'));

CREATE INDEX contacts_by_name ON contacts (hub_id, trim(first_name || ' ' || last_name) COLLATE NOCASE, id_number)
  WHERE gone_at IS NULL;
CREATE INDEX contacts_by_email ON contacts (hub_id, email COLLATE NOCASE, id_number) WHERE gone_at IS NULL;
CREATE INDEX contacts_by_phone ON contacts (hub_id, phone, id_number) WHERE gone_at IS NULL;
CREATE INDEX contacts_by_company ON contacts (hub_id, company COLLATE NOCASE, id_number) WHERE gone_at IS NULL;

-- Records that a full pass over the CRM has not met: always a few of very many.
CREATE INDEX invoices_unmet ON invoices (hub_id, seen_pass) WHERE gone_at IS NULL;
CREATE INDEX contacts_unmet ON contacts (hub_id, seen_pass) WHERE gone_at IS NULL;
CREATE INDEX companies_unmet ON companies (hub_id, seen_pass) WHERE gone_at IS NULL;

-- A changed company renames its contacts.
CREATE INDEX contacts_by_company_id ON contacts (hub_id, company_id) WHERE company_id <> '';

-- Copies that the CRM no longer has.
CREATE INDEX contacts_gone ON contacts (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX companies_gone ON companies (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX invoices_gone_with_names ON invoices (gone_at)
  WHERE gone_at IS NOT NULL AND contact_first_name || contact_last_name || contact_email || company_name
    || company_address || company_city || company_state || company_zip <> '';
