-- The copy of a hub's customers and companies, and how far the copying has come. Invoices stand in their own table, where
-- our overlay lies over them.

CREATE TABLE contacts (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  contact_id TEXT NOT NULL,
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  email TEXT NOT NULL DEFAULT '',
  phone TEXT NOT NULL DEFAULT '',
  -- What the contact calls their company; not the name of a linked company record.
  company TEXT NOT NULL DEFAULT '',
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
