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

-- One row per hub and kind of record. A step saves its rows and the place to go on from in one transaction, so that a
-- worker that dies between two steps loses nothing and repeats at most one page.
CREATE TABLE crm_syncs (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  record TEXT NOT NULL CHECK (record IN ('companies', 'contacts', 'invoices')),
  -- The full pass under way or the last one that ended, and the CRM's own mark of the page to read next.
  pass INTEGER NOT NULL DEFAULT 1,
  page_after TEXT,
  pass_ended_at INTEGER,
  -- How many records this pass has copied, and how many the CRM said there are.
  copied INTEGER NOT NULL DEFAULT 0,
  expected INTEGER,
  -- Everything that the CRM changed before this instant is here.
  changed_until INTEGER NOT NULL DEFAULT 0,
  -- When the CRM last answered, and since when it has not.
  asked_at INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  PRIMARY KEY (hub_id, record)
) STRICT;
