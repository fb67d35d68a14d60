/**
 * The migrations of a clinic's database, in order. `npm run registers` writes this file, out of migrations/clinic/.
 * Import it lazily: only a database that is behind needs it.
 */
export const clinicMigrations: readonly { name: string; sql: string }[] = [
  {
    name: '0001_accounts.sql',
    sql: `-- Times are UTC milliseconds, money is integer minor units. STRICT refuses 12.5 in an integer column.

-- The account, who logged in to it through the CRM, and what keeps them logged in.

CREATE TABLE hubs (
  hub_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  domain TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  phone TEXT NOT NULL DEFAULT '',
  email TEXT NOT NULL DEFAULT '',
  connected_at INTEGER NOT NULL,
  -- When this clinic's records were put back to an older state: it takes payments again once its transactions up to then
  -- were read from the card provider. Far in the future while rows are still coming.
  restored_at INTEGER
) STRICT;

CREATE TABLE crm_tokens (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
  access_token TEXT NOT NULL,
  refresh_token TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  scopes TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  lease_until INTEGER NOT NULL DEFAULT 0,
  revoked_at INTEGER
) STRICT;
CREATE INDEX crm_tokens_revoked ON crm_tokens (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE terminals (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  terminal_id TEXT NOT NULL,
  name TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('ecommerce', 'counter')),
  public_key TEXT NOT NULL,
  api_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- The last moment at which a card reader was known to answer; the provider itself does not tell.
  heard_at INTEGER,
  PRIMARY KEY (hub_id, terminal_id)
) STRICT;

CREATE TABLE users (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  -- Of the one who connected the account first: the CRM lets only its administrators do that.
  is_admin INTEGER NOT NULL DEFAULT 0,
  last_login_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, user_id)
) STRICT;
CREATE INDEX users_with_email ON users (last_login_at) WHERE email <> '';

-- One row is one browser that is logged in. The short-lived access token names the row; the companion cookie holds the
-- secret whose hash stands here and is the only thing that can renew that token.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  companion_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  revoked_at INTEGER,
  FOREIGN KEY (hub_id, user_id) REFERENCES users (hub_id, user_id)
) STRICT;
CREATE INDEX sessions_end ON sessions (ends_at);

-- The account at the card provider that a hub applied for. The row is the claim: one application per hub, however often
-- the form is sent.
CREATE TABLE merchants (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
  name TEXT NOT NULL,
  merchant_number TEXT UNIQUE,
  signup_url TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT 'applying'
    CHECK (status IN ('applying', 'applied', 'pended', 'in-review', 'approved', 'declined', 'boarded')),
  claimed_at INTEGER NOT NULL,
  -- The line under every invoice that this merchant prints; empty means the product's own.
  footer_text TEXT NOT NULL DEFAULT ''
) STRICT;

-- What the provider told about an application. The same message twice is one row.
CREATE TABLE merchant_logs (
  hub_id INTEGER NOT NULL REFERENCES merchants (hub_id),
  message_hash TEXT NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, message_hash)
) STRICT;
CREATE INDEX merchant_logs_at ON merchant_logs (at);

-- What this clinic told the directory of itself last (JSON), and when: the same is not told again on each turn.
CREATE TABLE tellings (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
  text TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
`,
  },
  {
    name: '0002_crm_copy.sql',
    sql: `-- The copy of a hub's invoices, customers and companies, how far the copying has come, and what finds the rows of a list.

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
`,
  },
  {
    name: '0003_lists.sql',
    sql: `-- Of a merchant's lists: counts that are kept, and words to search by.

-- How many rows a list has, in all (\`*\`) and of each status.
CREATE TABLE list_counts (
  hub_id INTEGER NOT NULL,
  list TEXT NOT NULL CHECK (list IN ('invoices', 'open-invoices', 'customers')),
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (hub_id, list, status)
) STRICT, WITHOUT ROWID;

-- In which counts an invoice stands.
CREATE VIEW invoice_tallies AS
  SELECT rowid AS doc, hub_id, 'invoices' AS list, '*' AS status FROM invoices WHERE gone_at IS NULL
  UNION ALL
  SELECT rowid, hub_id, 'invoices', shown_status FROM invoices WHERE gone_at IS NULL
  UNION ALL
  SELECT rowid, hub_id, 'open-invoices', '*' FROM invoices
  WHERE gone_at IS NULL AND (overlay <> 'none' OR status IN ('open', 'paid'))
  UNION ALL
  SELECT rowid, hub_id, 'open-invoices', shown_status FROM invoices
  WHERE gone_at IS NULL AND (overlay <> 'none' OR status IN ('open', 'paid'));

CREATE TRIGGER invoices_count_new AFTER INSERT ON invoices BEGIN
  INSERT INTO list_counts (hub_id, list, status, n)
    SELECT hub_id, list, status, 1 FROM invoice_tallies WHERE doc = NEW.rowid
    ON CONFLICT (hub_id, list, status) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER invoices_uncount_changing BEFORE UPDATE OF status, overlay, gone_at ON invoices
WHEN OLD.status <> NEW.status OR OLD.overlay <> NEW.overlay OR OLD.gone_at IS NOT NEW.gone_at
BEGIN
  UPDATE list_counts SET n = n - 1 WHERE hub_id = OLD.hub_id
    AND (list, status) IN (SELECT list, status FROM invoice_tallies WHERE doc = OLD.rowid);
END;
CREATE TRIGGER invoices_count_changed AFTER UPDATE OF status, overlay, gone_at ON invoices
WHEN OLD.status <> NEW.status OR OLD.overlay <> NEW.overlay OR OLD.gone_at IS NOT NEW.gone_at
BEGIN
  INSERT INTO list_counts (hub_id, list, status, n)
    SELECT hub_id, list, status, 1 FROM invoice_tallies WHERE doc = NEW.rowid
    ON CONFLICT (hub_id, list, status) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER invoices_uncount_deleted BEFORE DELETE ON invoices BEGIN
  UPDATE list_counts SET n = n - 1 WHERE hub_id = OLD.hub_id
    AND (list, status) IN (SELECT list, status FROM invoice_tallies WHERE doc = OLD.rowid);
END;

CREATE TRIGGER contacts_count_new AFTER INSERT ON contacts WHEN NEW.gone_at IS NULL BEGIN
  INSERT INTO list_counts (hub_id, list, status, n) VALUES (NEW.hub_id, 'customers', '*', 1)
    ON CONFLICT (hub_id, list, status) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER contacts_count_gone AFTER UPDATE OF gone_at ON contacts
WHEN OLD.gone_at IS NULL AND NEW.gone_at IS NOT NULL
BEGIN
  UPDATE list_counts SET n = n - 1 WHERE hub_id = NEW.hub_id AND list = 'customers' AND status = '*';
END;
CREATE TRIGGER contacts_count_back AFTER UPDATE OF gone_at ON contacts
WHEN OLD.gone_at IS NOT NULL AND NEW.gone_at IS NULL
BEGIN
  INSERT INTO list_counts (hub_id, list, status, n) VALUES (NEW.hub_id, 'customers', '*', 1)
    ON CONFLICT (hub_id, list, status) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER contacts_uncount_deleted AFTER DELETE ON contacts WHEN OLD.gone_at IS NULL BEGIN
  UPDATE list_counts SET n = n - 1 WHERE hub_id = OLD.hub_id AND list = 'customers' AND status = '*';
END;

-- Words to search by. Each carries its hub in front (\`h42_marta\`), so that a search walks no other hub's postings. An
-- underscore is never part of a word of its own: nobody can name a contact into another hub's words. The index keeps no
-- text. Every mark is part of a word for it, since words are cut at spaces here.
CREATE VIRTUAL TABLE invoice_search USING fts5(
  words, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* M* N* P* S* Co'"
);
CREATE VIRTUAL TABLE customer_search USING fts5(
  words, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* M* N* P* S* Co'"
);

CREATE VIEW search_texts AS
  SELECT 'invoices' AS list, rowid AS doc, hub_id,
    number || ' ' || contact_first_name || ' ' || contact_last_name || ' ' || company_name AS text
  FROM invoices WHERE gone_at IS NULL
  UNION ALL
  -- A phone number is found as it is written, and by its digits with or without the country's.
  SELECT 'customers', doc, hub_id,
    names || ' ' || phone || CASE digits WHEN '' THEN '' ELSE ' ' || digits || ' ' || substr(digits, -10) END
  FROM (
    SELECT rowid AS doc, hub_id, phone, first_name || ' ' || last_name || ' ' || email || ' ' || company AS names,
      replace(replace(replace(replace(replace(replace(replace(
        phone, ' ', ''), '-', ''), '(', ''), ')', ''), '.', ''), '/', ''), '+', '') AS digits
    FROM contacts WHERE gone_at IS NULL
  );

-- The marks that cut words are those of searchWords in worker/data/lists/search-words.ts.
CREATE VIEW search_words AS
  SELECT list, doc, hub || replace(trim(replace(replace(cut, '  ', ' '), '  ', ' ')), ' ', ' ' || hub) AS words
  FROM (
    SELECT list, doc, 'h' || hub_id || '_' AS hub,
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        text, '_', ' '), '-', ' '), '.', ' '), ',', ' '), ':', ' '), ';', ' '), '/', ' '), '\\', ' '), '@', ' '),
        '''', ' '), '’', ' '), '"', ' '), '(', ' '), ')', ' '), '[', ' '), ']', ' '), '<', ' '), '>', ' '), '&', ' '),
        '+', ' '), '#', ' '), '*', ' '), '|', ' '), '–', ' '), '—', ' '), char(9), ' '), char(10), ' '), char(160), ' ')
      AS cut
    FROM search_texts
  );

CREATE TRIGGER invoices_search_new AFTER INSERT ON invoices WHEN NEW.gone_at IS NULL BEGIN
  INSERT INTO invoice_search (rowid, words) SELECT doc, words FROM search_words WHERE list = 'invoices' AND doc = NEW.rowid;
END;
CREATE TRIGGER invoices_search_changed
AFTER UPDATE OF number, contact_first_name, contact_last_name, company_name, gone_at ON invoices
WHEN OLD.number <> NEW.number OR OLD.contact_first_name <> NEW.contact_first_name
  OR OLD.contact_last_name <> NEW.contact_last_name OR OLD.company_name <> NEW.company_name
  OR OLD.gone_at IS NOT NEW.gone_at
BEGIN
  DELETE FROM invoice_search WHERE rowid = OLD.rowid;
  INSERT INTO invoice_search (rowid, words) SELECT doc, words FROM search_words WHERE list = 'invoices' AND doc = NEW.rowid;
END;
CREATE TRIGGER invoices_search_deleted AFTER DELETE ON invoices BEGIN
  DELETE FROM invoice_search WHERE rowid = OLD.rowid;
END;
CREATE TRIGGER contacts_search_new AFTER INSERT ON contacts WHEN NEW.gone_at IS NULL BEGIN
  INSERT INTO customer_search (rowid, words)
    SELECT doc, words FROM search_words WHERE list = 'customers' AND doc = NEW.rowid;
END;
CREATE TRIGGER contacts_search_changed AFTER UPDATE OF first_name, last_name, email, phone, company, gone_at ON contacts
WHEN OLD.first_name <> NEW.first_name OR OLD.last_name <> NEW.last_name OR OLD.email <> NEW.email
  OR OLD.phone <> NEW.phone OR OLD.company <> NEW.company OR OLD.gone_at IS NOT NEW.gone_at
BEGIN
  DELETE FROM customer_search WHERE rowid = OLD.rowid;
  INSERT INTO customer_search (rowid, words)
    SELECT doc, words FROM search_words WHERE list = 'customers' AND doc = NEW.rowid;
END;
CREATE TRIGGER contacts_search_deleted AFTER DELETE ON contacts BEGIN
  DELETE FROM customer_search WHERE rowid = OLD.rowid;
END;
`,
  },
  {
    name: '0004_money.sql',
    sql: `-- Payments, what was given back of them, and the mails that they owe.

CREATE TABLE pay_links (
  pay_id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'revoked', 'ended')),
  issued_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  FOREIGN KEY (hub_id, invoice_id) REFERENCES invoices (hub_id, invoice_id)
) STRICT;
CREATE UNIQUE INDEX pay_links_one_live ON pay_links (hub_id, invoice_id) WHERE state = 'live';
CREATE INDEX pay_links_end ON pay_links (ends_at);
-- Every link of an invoice: without it, each invoice that is deleted would be looked for among all links.
CREATE INDEX pay_links_invoice ON pay_links (hub_id, invoice_id);

CREATE TABLE payment_attempts (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  collection INTEGER NOT NULL,
  pay_id TEXT,
  terminal_id TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('link', 'terminal')),
  method TEXT NOT NULL CHECK (method IN ('card', 'ach')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  currency TEXT NOT NULL,
  invoice_number TEXT NOT NULL,
  dedupe_key TEXT NOT NULL,
  attempt_key TEXT,
  token_hash TEXT,
  receipt_id TEXT NOT NULL UNIQUE,
  receipt_to TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT 'sent',
  -- Which state it left when it was put before a person. Only one that was never released ('unknown') may leave that state
  -- without one, and only by the facts that worker/domain/payments/resolve-automatically.ts asks for.
  needs_human_from TEXT NOT NULL DEFAULT '',
  payer_first_name TEXT NOT NULL DEFAULT '',
  payer_last_name TEXT NOT NULL DEFAULT '',
  payer_address TEXT NOT NULL DEFAULT '',
  payer_address2 TEXT NOT NULL DEFAULT '',
  payer_city TEXT NOT NULL DEFAULT '',
  payer_state TEXT NOT NULL DEFAULT '',
  payer_zip TEXT NOT NULL DEFAULT '',
  signature_key TEXT,
  ip_key TEXT NOT NULL DEFAULT '',
  provider_txn_id TEXT,
  exchange_id TEXT NOT NULL DEFAULT '',
  auth_code TEXT NOT NULL DEFAULT '',
  card_brand TEXT NOT NULL DEFAULT '',
  card_last_four TEXT NOT NULL DEFAULT '',
  card_masked TEXT NOT NULL DEFAULT '',
  result TEXT NOT NULL DEFAULT '',
  message TEXT NOT NULL DEFAULT '',
  provider_code TEXT NOT NULL DEFAULT '',
  fee_cents INTEGER,
  -- Of the amount, what was given back; more than was paid cannot be.
  refunded_cents INTEGER NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  -- Who started it at a desk.
  started_by TEXT NOT NULL DEFAULT '',
  -- Why nothing was attempted.
  refusal TEXT NOT NULL DEFAULT '',
  hold_until INTEGER NOT NULL,
  next_check_at INTEGER,
  checks INTEGER NOT NULL DEFAULT 0,
  empty_checks INTEGER NOT NULL DEFAULT 0,
  -- When the gateway was last asked what became of it.
  checked_at INTEGER,
  created_at INTEGER NOT NULL,
  -- The hub's time zone when it was made, and the local day on which that was.
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  day TEXT NOT NULL DEFAULT '',
  settled_at INTEGER
) STRICT;

-- The lock: one live attempt per invoice and collection, claimed by INSERT before the gateway is called. An attempt before
-- a person (needs_human) is refused to newcomers by the claim itself: one that was released and then turns out to have been
-- charged must be able to get there although the payer has paid again meanwhile.
CREATE UNIQUE INDEX payment_attempts_one_live ON payment_attempts (hub_id, invoice_id, collection)
  WHERE state IN ('sent', 'unknown', 'pending', 'approved');
-- The same card token is the same attempt for ever.
CREATE UNIQUE INDEX payment_attempts_token ON payment_attempts (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX payment_attempts_invoice ON payment_attempts (hub_id, invoice_id);
CREATE INDEX payment_attempts_due ON payment_attempts (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX payment_attempts_link ON payment_attempts (pay_id, created_at);
CREATE INDEX payment_attempts_ip ON payment_attempts (ip_key, created_at);
CREATE INDEX payment_attempts_hub ON payment_attempts (hub_id, created_at);
CREATE INDEX payment_attempts_desk ON payment_attempts (hub_id, terminal_id, created_at) WHERE channel = 'terminal';

-- Payments of which nobody knows the outcome yet.
CREATE INDEX payment_attempts_undecided ON payment_attempts (hub_id, state, terminal_id)
  WHERE state IN ('sent', 'unknown', 'needs_human');

-- What a payer told us, once the payment has an end; and the hashed address, which only limits of an hour ask for.
CREATE INDEX payment_attempts_with_payer ON payment_attempts (settled_at)
  WHERE signature_key IS NOT NULL OR payer_first_name || payer_last_name || payer_address || payer_address2
    || payer_city || payer_state || payer_zip || receipt_to || started_by <> '';
CREATE INDEX payment_attempts_with_ip ON payment_attempts (created_at) WHERE ip_key <> '';

CREATE TRIGGER payment_attempts_moves BEFORE UPDATE OF state ON payment_attempts
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent'
      AND NEW.state IN ('approved', 'declined', 'rejected', 'pending', 'unknown', 'cancelled', 'timed_out'))
  OR (OLD.state = 'unknown'
      AND NEW.state IN ('approved', 'declined', 'pending', 'not_charged', 'needs_human', 'cancelled', 'timed_out'))
  OR (OLD.state = 'pending' AND NEW.state IN ('approved', 'returned'))
  OR (OLD.state IN ('not_charged', 'cancelled', 'timed_out') AND NEW.state = 'needs_human')
  -- A person looked at it and said, with a note, what it was.
  OR (OLD.state = 'needs_human' AND NEW.state IN ('approved', 'not_charged', 'voided'))
  OR (OLD.state = 'approved' AND NEW.state IN ('voided', 'refunded', 'returned'))
)
BEGIN
  SELECT RAISE(ABORT, 'this payment cannot move to that state');
END;

CREATE TABLE ledger (
  hub_id INTEGER NOT NULL,
  provider_txn_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  invoice_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund', 'void', 'return')),
  amount_cents INTEGER NOT NULL,
  currency TEXT NOT NULL,
  channel TEXT NOT NULL,
  method TEXT NOT NULL,
  brand TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- \`at\` as a day of the hub (YYYY-MM-DD): SQL knows no time zones.
  day TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (hub_id, provider_txn_id)
) STRICT;
CREATE INDEX ledger_attempt ON ledger (attempt_id);
CREATE INDEX ledger_day ON ledger (hub_id, at);
CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER ledger_keeps_all BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;

-- A payment that is taken back: whole while its batch is open (void), up to what is left of it afterwards (refund).
CREATE TABLE reversals (
  -- Also the gateway's order id.
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL,
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  invoice_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('void', 'refund')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  dedupe_key TEXT NOT NULL,
  -- The form's own key: one press is one reversal, however often it is sent.
  request_key TEXT NOT NULL,
  reason TEXT NOT NULL,
  asked_by INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'sent',
  provider_txn_id TEXT,
  exchange_id TEXT NOT NULL DEFAULT '',
  message TEXT NOT NULL DEFAULT '',
  provider_code TEXT NOT NULL DEFAULT '',
  hold_until INTEGER NOT NULL,
  next_check_at INTEGER,
  checks INTEGER NOT NULL DEFAULT 0,
  empty_checks INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  settled_at INTEGER
) STRICT;

-- The lock: a payment is given back by one at a time, claimed by INSERT before the gateway is called.
CREATE UNIQUE INDEX reversals_one_live ON reversals (attempt_id) WHERE state IN ('sent', 'unknown', 'needs_human');
CREATE UNIQUE INDEX reversals_request ON reversals (attempt_id, request_key);
CREATE INDEX reversals_due ON reversals (next_check_at) WHERE next_check_at IS NOT NULL;

-- Those that wait for a person: always few.
CREATE INDEX reversals_undecided ON reversals (hub_id, created_at) WHERE state = 'needs_human';
CREATE INDEX reversals_with_reason ON reversals (created_at) WHERE reason <> '';

CREATE TRIGGER reversals_moves BEFORE UPDATE OF state ON reversals
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent' AND NEW.state IN ('approved', 'refused', 'unknown'))
  OR (OLD.state = 'unknown' AND NEW.state IN ('approved', 'refused', 'not_done', 'needs_human'))
  -- Late, but the gateway has carried it out.
  OR (OLD.state = 'not_done' AND NEW.state IN ('approved', 'needs_human'))
  OR (OLD.state = 'needs_human' AND NEW.state IN ('approved', 'not_done'))
)
BEGIN
  SELECT RAISE(ABORT, 'this reversal cannot move to that state');
END;

-- What a person found out of a payment that no program could decide.
CREATE TABLE resolutions (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  verdict TEXT NOT NULL CHECK (verdict IN ('charged', 'not-charged')),
  note TEXT NOT NULL,
  resolved_by INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX resolutions_hub ON resolutions (hub_id, at);
CREATE INDEX resolutions_attempt ON resolutions (attempt_id);
CREATE INDEX resolutions_at ON resolutions (at);

-- What a person found out of a void or refund that no program could decide. One that was decided may come back, so that it
-- may have several.
CREATE TABLE reversal_resolutions (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  reversal_id TEXT NOT NULL REFERENCES reversals (id),
  verdict TEXT NOT NULL CHECK (verdict IN ('happened', 'not-happened')),
  note TEXT NOT NULL,
  resolved_by INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX reversal_resolutions_hub ON reversal_resolutions (hub_id, at);
CREATE INDEX reversal_resolutions_at ON reversal_resolutions (at);

-- A signature that a clinic took on the printed invoice itself, without a payment. The image lies in the bucket.
CREATE TABLE invoice_signatures (
  hub_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  image_key TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  saved_by INTEGER NOT NULL,
  PRIMARY KEY (hub_id, invoice_id),
  FOREIGN KEY (hub_id, invoice_id) REFERENCES invoices (hub_id, invoice_id)
) STRICT;
CREATE INDEX invoice_signatures_saved ON invoice_signatures (saved_at);

-- Mails that are owed; written in the batch of what they tell of, sent afterwards, once per id. What a mail says is made
-- of the rows that it points to when it is sent; \`details\` (JSON) holds what no row does, capabilities sealed.
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  recipient TEXT NOT NULL,
  hub_id INTEGER,
  attempt_id TEXT REFERENCES payment_attempts (id),
  invoice_id TEXT,
  details TEXT NOT NULL DEFAULT '{}',
  state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'failed')),
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  sent_at INTEGER
) STRICT;
CREATE INDEX outbox_due ON outbox (next_try_at) WHERE state = 'due';
CREATE INDEX outbox_invoice ON outbox (hub_id, invoice_id, created_at) WHERE invoice_id IS NOT NULL;
CREATE INDEX outbox_done ON outbox (created_at) WHERE state <> 'due';
CREATE INDEX outbox_done_with_details ON outbox (sent_at) WHERE state <> 'due' AND details <> '{}';
-- Mails that were given up, which are few among all that were sent.
CREATE INDEX outbox_failed ON outbox (created_at) WHERE state = 'failed';
`,
  },
  {
    name: '0005_settlement.sql',
    sql: `-- Closing a batch at the gateway has no name for the batch: it closes whichever is open. So the batch is claimed here first,
-- once, and the answer is kept for those who ask again.
CREATE TABLE batch_closes (
  hub_id INTEGER NOT NULL,
  terminal_id TEXT NOT NULL,
  batch_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'sent' CHECK (state IN ('sent', 'unknown', 'processing', 'closed', 'failed')),
  asked_by INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  ended_at INTEGER,
  message TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (hub_id, terminal_id, batch_id),
  FOREIGN KEY (hub_id, terminal_id) REFERENCES terminals (hub_id, terminal_id)
) STRICT;
-- While nobody knows what became of a close, another one on the same terminal could hit the batch after it.
CREATE UNIQUE INDEX batch_closes_one_live ON batch_closes (hub_id, terminal_id) WHERE state IN ('sent', 'unknown');

-- The closes of a terminal: those under way, and the newest.
CREATE INDEX batch_closes_open ON batch_closes (hub_id, terminal_id, state)
  WHERE state IN ('sent', 'unknown', 'processing');
CREATE INDEX batch_closes_asked ON batch_closes (hub_id, terminal_id, asked_at);
CREATE INDEX batch_closes_ended ON batch_closes (hub_id, terminal_id, ended_at);

-- What the gateway itself shows of a merchant's transactions, as it was read last, and how that agrees with our ledger.
CREATE TABLE gateway_transactions (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  provider_txn_id TEXT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('card', 'ach')),
  terminal_id TEXT NOT NULL,
  -- Empty for what is in no batch.
  batch_id TEXT NOT NULL,
  -- In the gateway's words: SALE, REFUND, VOID, DEBIT...
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  is_voided INTEGER NOT NULL,
  amount_cents INTEGER,
  -- What it moved in the end: money taken in is positive, given back negative, 0 where none moved; null: not decided yet.
  effect_cents INTEGER,
  order_id TEXT NOT NULL,
  parent_id TEXT NOT NULL,
  -- The gateway's \`invoice\`.
  dedupe_key TEXT NOT NULL,
  card TEXT NOT NULL,
  payer TEXT NOT NULL,
  at INTEGER,
  seen_at INTEGER NOT NULL,
  -- As of seen_at. 'earlier': from before this merchant's terminals were ours.
  verdict TEXT NOT NULL DEFAULT 'none'
    CHECK (verdict IN ('none', 'earlier', 'matched', 'only-gateway', 'amount-differs')),
  PRIMARY KEY (hub_id, provider_txn_id)
) STRICT;

CREATE INDEX gateway_transactions_batch ON gateway_transactions (hub_id, batch_id);
CREATE INDEX gateway_transactions_open ON gateway_transactions (hub_id, at)
  WHERE verdict IN ('only-gateway', 'amount-differs');
CREATE INDEX gateway_transactions_parent ON gateway_transactions (hub_id, parent_id) WHERE parent_id <> '';
CREATE INDEX gateway_transactions_with_payer ON gateway_transactions (at) WHERE payer <> '';
CREATE INDEX gateway_transactions_without_payer ON gateway_transactions (at) WHERE payer = '';

-- How far the gateway's transactions of a merchant were read, by method.
CREATE TABLE match_marks (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  method TEXT NOT NULL CHECK (method IN ('card', 'ach')),
  -- What lies between these two was read to its end at least once.
  read_from INTEGER NOT NULL,
  read_until INTEGER NOT NULL,
  -- Where a run that is not at its end goes on.
  resume_from INTEGER,
  next_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER,
  failing_since INTEGER,
  PRIMARY KEY (hub_id, method)
) STRICT;
CREATE INDEX match_marks_due ON match_marks (next_at);

-- What a hub took in on each of its local days, kept as payments settle: a year of analytics is one row a day, however many
-- payments there were. The triggers see every way in which money or a state can change.
CREATE TABLE daily_totals (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  day TEXT NOT NULL,
  -- Payments less what was given back on that day.
  net_cents INTEGER NOT NULL DEFAULT 0,
  -- Approved payments by how they were paid, and attempts by how they ended: JSON objects of counts.
  methods TEXT NOT NULL DEFAULT '{}',
  statuses TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (hub_id, day)
) STRICT;

-- Under a short list of names: the gateway's own words may be anything.
CREATE VIEW payments_by_method AS
SELECT hub_id, provider_txn_id, attempt_id, day, CASE
  WHEN method = 'ach' THEN 'Bank account'
  WHEN upper(brand) = 'VISA' THEN 'Visa'
  WHEN upper(brand) IN ('MASTERCARD', 'MASTER CARD', 'MC') THEN 'Mastercard'
  WHEN upper(brand) IN ('AMEX', 'AMERICAN EXPRESS', 'AMERICANEXPRESS') THEN 'American Express'
  WHEN upper(brand) = 'DISCOVER' THEN 'Discover'
  ELSE 'Other card' END AS method
FROM ledger WHERE kind = 'payment';

-- A payment that was voided was never charged, so the figures of a day leave it out: its money and its method go from the
-- day of the payment, and the day of the void shows nothing. Refunds and returns lower the volume on their own day.
CREATE TRIGGER ledger_adds_to_day AFTER INSERT ON ledger WHEN NEW.kind <> 'void' BEGIN
  INSERT INTO daily_totals (hub_id, day) VALUES (NEW.hub_id, NEW.day) ON CONFLICT (hub_id, day) DO NOTHING;
  UPDATE daily_totals SET net_cents = net_cents + NEW.amount_cents WHERE hub_id = NEW.hub_id AND day = NEW.day;
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', ifnull(json_extract(methods, '$."' || paid.method || '"'), 0) + 1)
  FROM payments_by_method AS paid
  WHERE paid.hub_id = NEW.hub_id AND paid.provider_txn_id = NEW.provider_txn_id
    AND daily_totals.hub_id = NEW.hub_id AND daily_totals.day = NEW.day;
END;
CREATE TRIGGER void_leaves_the_day_of_its_payment AFTER INSERT ON ledger WHEN NEW.kind = 'void' BEGIN
  UPDATE daily_totals
  SET net_cents = net_cents + NEW.amount_cents,
    methods = json_set(methods, '$."' || paid.method || '"', json_extract(methods, '$."' || paid.method || '"') - 1)
  FROM payments_by_method AS paid
  WHERE paid.attempt_id = NEW.attempt_id AND daily_totals.hub_id = paid.hub_id AND daily_totals.day = paid.day;
END;

-- An attempt counts on the day it was made, under the state it came to; one that changes its end changes its place.
CREATE TRIGGER attempts_leave_their_state AFTER UPDATE OF state ON payment_attempts
WHEN OLD.state <> NEW.state AND OLD.state NOT IN ('sent', 'unknown', 'pending', 'needs_human') BEGIN
  UPDATE daily_totals SET statuses = json_set(statuses, '$.' || OLD.state, json_extract(statuses, '$.' || OLD.state) - 1)
  WHERE hub_id = OLD.hub_id AND day = OLD.day;
END;
CREATE TRIGGER attempts_come_to_a_state AFTER UPDATE OF state ON payment_attempts
WHEN OLD.state <> NEW.state AND NEW.state NOT IN ('sent', 'unknown', 'pending', 'needs_human') BEGIN
  INSERT INTO daily_totals (hub_id, day) VALUES (NEW.hub_id, NEW.day) ON CONFLICT (hub_id, day) DO NOTHING;
  UPDATE daily_totals
  SET statuses = json_set(statuses, '$.' || NEW.state, ifnull(json_extract(statuses, '$.' || NEW.state), 0) + 1)
  WHERE hub_id = NEW.hub_id AND day = NEW.day;
END;
`,
  },
  {
    name: '0006_audit.sql',
    sql: `-- Who did what: an event in the batch of each act.
-- Texts are short JSON objects of listed fields; an empty one says that there was nothing.
CREATE TABLE audit_events (
  hub_id INTEGER NOT NULL,
  -- 1 + the highest of the account, taken inside the INSERT: without holes, so a missing row shows.
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  ip_hash TEXT NOT NULL,
  action TEXT NOT NULL,
  subject_kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  request_id TEXT NOT NULL,
  PRIMARY KEY (hub_id, seq)
) STRICT, WITHOUT ROWID;

-- A seal is a link of the account's hash chain: it stands for the events from one number to another.
CREATE TABLE audit_seals (
  hub_id INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL CHECK (to_seq >= from_seq),
  rows_hash TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, from_seq)
) STRICT, WITHOUT ROWID;

-- Refused requests of one session, or of strangers of one kind, within one hour; becomes one event when that is over.
CREATE TABLE audit_refusals (
  hub_id INTEGER NOT NULL,
  -- Empty: strangers.
  session_id TEXT NOT NULL,
  action TEXT NOT NULL,
  -- The hour's beginning.
  hour INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  ip_hash TEXT NOT NULL,
  -- What was asked for last, as a route's pattern.
  route TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (hub_id, session_id, action, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_refusals_hour ON audit_refusals (hour);

CREATE TRIGGER audit_events_keep_rows BEFORE UPDATE ON audit_events
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is only added to');
END;
-- After seven years (2557 days), and only what a seal still stands for; never the newest, whose number the next one follows.
CREATE TRIGGER audit_events_keep_all BEFORE DELETE ON audit_events
WHEN OLD.at > (unixepoch() - 2557 * 86400) * 1000
  OR OLD.seq = (SELECT max(seq) FROM audit_events WHERE hub_id = OLD.hub_id)
  OR NOT EXISTS (SELECT 1 FROM audit_seals WHERE hub_id = OLD.hub_id AND from_seq <= OLD.seq AND to_seq >= OLD.seq)
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is only added to');
END;
CREATE TRIGGER audit_seals_keep_rows BEFORE UPDATE ON audit_seals
BEGIN
  SELECT RAISE(ABORT, 'the seals are only added to');
END;
CREATE TRIGGER audit_seals_keep_all BEFORE DELETE ON audit_seals
BEGIN
  SELECT RAISE(ABORT, 'the seals are only added to');
END;

-- How far an account's chain was recomputed from its beginning, and what was found.
CREATE TABLE audit_checks (
  hub_id INTEGER PRIMARY KEY,
  -- The last complete check: up to which event, with its seal's hash, when, and what did not agree (empty: all agreed).
  seq INTEGER NOT NULL DEFAULT 0,
  hash TEXT NOT NULL DEFAULT '',
  at INTEGER,
  problem TEXT NOT NULL DEFAULT '',
  -- The check under way: the last event that agreed, and its seal's hash.
  reached_seq INTEGER NOT NULL DEFAULT 0,
  reached_hash TEXT NOT NULL DEFAULT '',
  due_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX audit_checks_due ON audit_checks (due_at);

-- A row for each account, so that no step has to look for accounts without one.
CREATE TRIGGER audit_checks_begin AFTER INSERT ON hubs
BEGIN
  INSERT OR IGNORE INTO audit_checks (hub_id) VALUES (NEW.hub_id);
END;

-- Administrators who switched on the weekly mail with the newest seal.
CREATE TABLE audit_mails (
  hub_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_mails_next ON audit_mails (next_at);

-- How far the walk over a prefix of the bucket is: it goes on behind this file, not before next_at.
CREATE TABLE bucket_cursors (
  prefix TEXT PRIMARY KEY,
  after_key TEXT NOT NULL,
  next_at INTEGER NOT NULL
) STRICT;

-- Triggers that wait for the end of a restore: rows that come back must not count, book or tell anything a second time.
-- While one is here the clinic's clock stands still.
CREATE TABLE waiting_triggers (
  name TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
`,
  },
  {
    name: '0007_dumps.sql',
    sql: `-- The nightly dump of this database into the bucket of backups.
CREATE TABLE dumps (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- When the next piece is written, or the next dump begins.
  due_at INTEGER NOT NULL,
  -- Where the dump under way lies; empty: none is.
  folder TEXT NOT NULL DEFAULT '',
  began_at INTEGER NOT NULL DEFAULT 0,
  -- The newest event as it began: while it stays, nothing was done.
  mark INTEGER NOT NULL DEFAULT 0,
  -- How often this night's dump was begun.
  tries INTEGER NOT NULL DEFAULT 0,
  -- When the last one ended, or when this row was made.
  ended_at INTEGER NOT NULL,
  -- The month (YYYY-MM) whose dump stays for a year.
  month TEXT NOT NULL DEFAULT '',
  -- How far each table is whose rows name files: up to these row ids they are copied. JSON.
  files TEXT NOT NULL DEFAULT '{}'
) STRICT;

-- How far each table of the dump under way is.
CREATE TABLE dump_tables (
  name TEXT PRIMARY KEY,
  -- Rows behind this one came after the dump began; null: the table has no row ids.
  cut INTEGER,
  -- The key of the last row that was written, as JSON.
  after TEXT NOT NULL DEFAULT 'null',
  is_whole INTEGER NOT NULL DEFAULT 0 CHECK (is_whole IN (0, 1)),
  -- Key, rows and SHA-256 of each piece that was written, as JSON.
  pieces TEXT NOT NULL DEFAULT '[]'
) STRICT;
`,
  },
  {
    name: '0008_people.sql',
    sql: `-- People of a clinic: what each may do, who was invited, and in which browsers they are logged in.

-- user_id is our own number of a person; crm_user_id is the CRM's, of one who came through it.
ALTER TABLE users ADD COLUMN crm_user_id INTEGER;
ALTER TABLE users ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'desk' CHECK (role IN ('reader', 'desk', 'manager', 'admin'));
-- 0: an administrator only because this person connected the account first, which anybody may have done.
ALTER TABLE users ADD COLUMN is_confirmed INTEGER NOT NULL DEFAULT 1;
-- Whoever was removed comes in again only when invited again. The row stays: refunds and batches name its number.
ALTER TABLE users ADD COLUMN removed_at INTEGER;
UPDATE users SET crm_user_id = user_id, role = iif(is_admin = 1, 'admin', 'desk'), is_confirmed = 1 - is_admin;
ALTER TABLE users DROP COLUMN is_admin;
CREATE UNIQUE INDEX users_of_crm ON users (hub_id, crm_user_id) WHERE crm_user_id IS NOT NULL;
CREATE INDEX users_by_email ON users (hub_id, email COLLATE NOCASE);
CREATE INDEX users_admins ON users (hub_id) WHERE role = 'admin' AND removed_at IS NULL;

-- What a person reads to tell one browser from another, such as 'Firefox on Windows'.
ALTER TABLE sessions ADD COLUMN label TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN began_by TEXT NOT NULL DEFAULT 'crm'
  CHECK (began_by IN ('crm', 'passkey', 'code', 'pin'));
CREATE INDEX sessions_of_user ON sessions (hub_id, user_id) WHERE revoked_at IS NULL;

-- An invitation of staff. The link in the mail is a capability, of which the hash stands here; it works once.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('reader', 'desk', 'manager', 'admin')),
  secret_hash TEXT NOT NULL UNIQUE,
  -- NULL: the operator.
  invited_by INTEGER,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  -- Accepted, taken back, or replaced by a later one.
  ended_at INTEGER
) STRICT;
CREATE INDEX invitations_end ON invitations (ends_at);
CREATE INDEX invitations_open ON invitations (hub_id, email COLLATE NOCASE) WHERE ended_at IS NULL;

-- What all of a manager's refunds and voids of 24 hours may come to, in cents; NULL: only administrators give money back.
ALTER TABLE hubs ADD COLUMN refund_limit_cents INTEGER CHECK (refund_limit_cents > 0);
CREATE INDEX reversals_of_user ON reversals (hub_id, asked_by, created_at);
`,
  },
  {
    name: '0009_proofs.sql',
    sql: `-- By what staff prove who they are: passkeys, PINs, mailed codes. And what a second person has to approve.

-- The last proof in this session, and by what; NULL: none yet, as after a login through the CRM.
ALTER TABLE sessions ADD COLUMN proved_at INTEGER;
ALTER TABLE sessions ADD COLUMN proof TEXT CHECK (proof IN ('passkey', 'pin', 'code'));

CREATE TABLE staff_passkeys (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  user_id INTEGER NOT NULL,
  -- What the passkey names its person by, a capability of the clinic: by it a login finds the clinic.
  handle TEXT NOT NULL,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX staff_passkeys_of_user ON staff_passkeys (hub_id, user_id);

CREATE TABLE pins (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  user_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  -- Since the last right one.
  wrong_tries INTEGER NOT NULL DEFAULT 0,
  locked_until INTEGER NOT NULL DEFAULT 0,
  set_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, user_id)
) STRICT;

-- A code that was mailed to a person who sets a first factor. It is good in the session that asked.
CREATE TABLE factor_codes (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  user_id INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  taken_at INTEGER
) STRICT;
CREATE INDEX factor_codes_of_user ON factor_codes (hub_id, user_id, created_at);
CREATE INDEX factor_codes_created ON factor_codes (created_at);

-- Challenges that were answered, so that none is answered twice.
CREATE TABLE taken_challenges (
  challenge TEXT PRIMARY KEY,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX taken_challenges_end ON taken_challenges (ends_at);

-- Above this amount of a payment, in cents, a second person approves what is given back; NULL: nobody does.
ALTER TABLE hubs ADD COLUMN second_person_cents INTEGER CHECK (second_person_cents > 0);

-- A refund or void that waits for a second person, or was decided by one.
CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  kind TEXT NOT NULL CHECK (kind IN ('void', 'refund')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  reason TEXT NOT NULL,
  request_key TEXT NOT NULL,
  asked_by INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'refused', 'ended')),
  decided_by INTEGER,
  decided_at INTEGER,
  -- The person who asked may take it back, and never approve it.
  CHECK (state <> 'approved' OR decided_by <> asked_by),
  UNIQUE (hub_id, request_key)
) STRICT;
CREATE UNIQUE INDEX approvals_waiting ON approvals (attempt_id) WHERE state = 'waiting';
CREATE INDEX approvals_of_hub ON approvals (hub_id, asked_at);
CREATE INDEX approvals_asked ON approvals (asked_at);
`,
  },
  {
    name: '0010_leaving.sql',
    sql: `-- What an account takes along, and how it ends.

-- A download of all records that is being made, or that waits to be fetched: one for the clinic, one for the operator.
CREATE TABLE archives (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  kind TEXT NOT NULL CHECK (kind IN ('clinic', 'operator')),
  -- Names its folder in the bucket.
  id TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  -- When its next parts are written; NULL: all of them are.
  due_at INTEGER,
  -- How often it was begun: acts meanwhile begin it anew.
  tries INTEGER NOT NULL DEFAULT 0,
  -- How far it is, as JSON; empty: not begun.
  progress TEXT NOT NULL DEFAULT '',
  ready_at INTEGER,
  -- It goes with its files then.
  ends_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, kind)
) STRICT;

-- An account that an administrator wants closed; none after it was taken back.
CREATE TABLE closings (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
  asked_by INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  -- When the schedule tries to erase it: on the day, and each day after that on which something still stood.
  try_at INTEGER NOT NULL,
  -- What stood at the last try, as JSON: sentences.
  stood TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX closings_due ON closings (try_at);

-- When the account closes. While it is set nothing new is charged.
ALTER TABLE hubs ADD COLUMN closes_at INTEGER;
`,
  },
  {
    name: '0011_first_hour.sql',
    sql: `-- What an administrator decided about the list of a clinic's first hour. All else on that list is read from the books.
ALTER TABLE hubs ADD COLUMN first_hour_ended_at INTEGER;
ALTER TABLE hubs ADD COLUMN mails_seen_at INTEGER;
-- Who takes payments already has had this hour.
UPDATE hubs SET first_hour_ended_at = connected_at
  WHERE EXISTS (SELECT 1 FROM ledger WHERE ledger.hub_id = hubs.hub_id);
CREATE INDEX outbox_test_links ON outbox (hub_id, created_at) WHERE kind = 'test-link';
`,
  },
  {
    name: '0012_support.sql',
    sql: `-- From then on (UTC ms) the link opens nothing; until then its revocation can be taken back.
ALTER TABLE pay_links ADD COLUMN revoke_at INTEGER;
CREATE INDEX pay_links_to_revoke ON pay_links (revoke_at) WHERE state = 'live' AND revoke_at IS NOT NULL;

-- A time in which the operator may look at the clinic as it is, because an administrator said so. Who looks is number 0
-- among the people, who may only read.
CREATE TABLE support_views (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  granted_by INTEGER NOT NULL,
  granted_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  -- Ended before its time.
  ended_at INTEGER
) STRICT;
CREATE INDEX support_views_of_hub ON support_views (hub_id, ends_at);
CREATE INDEX support_views_end ON support_views (ends_at);
`,
  },
  {
    name: '0013_owed.sql',
    sql: `-- What a hub is still owed, kept as its invoices change: a row for each day on which something falls due, however many
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
`,
  },
  {
    name: '0014_invoice_life.sql',
    sql: `-- An invoice's life: that its page was opened, which batch its payment is in, what of that arrived at the bank, and what of
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
`,
  },
  {
    name: '0015_numbers.sql',
    sql: `-- What a day gave back, and at which hours its payments came; and when the CRM says that an invoice was paid.

-- \`at\` as an hour of the hub (0 to 23), of payments: SQL knows no time zones. NULL: booked before this was kept.
ALTER TABLE ledger ADD COLUMN hour INTEGER;
-- Refunds and returns of that day, as what they gave back (never negative) and how many they were.
ALTER TABLE daily_totals ADD COLUMN refund_cents INTEGER NOT NULL DEFAULT 0;
ALTER TABLE daily_totals ADD COLUMN refunds INTEGER NOT NULL DEFAULT 0;
-- Payments that were not voided by the hour at which they were booked: a JSON object of counts.
ALTER TABLE daily_totals ADD COLUMN hours TEXT NOT NULL DEFAULT '{}';

UPDATE daily_totals SET refund_cents = back.cents, refunds = back.n
FROM (SELECT hub_id, day, -sum(amount_cents) AS cents, count(*) AS n FROM ledger
  WHERE kind IN ('refund', 'return') GROUP BY hub_id, day) AS back
WHERE back.hub_id = daily_totals.hub_id AND back.day = daily_totals.day;

-- As before, with these columns beside the others in the same writes.
DROP TRIGGER ledger_adds_to_day;
DROP TRIGGER void_leaves_the_day_of_its_payment;
DROP VIEW payments_by_method;
CREATE VIEW payments_by_method AS
SELECT hub_id, provider_txn_id, attempt_id, day, CASE
  WHEN method = 'ach' THEN 'Bank account'
  WHEN upper(brand) = 'VISA' THEN 'Visa'
  WHEN upper(brand) IN ('MASTERCARD', 'MASTER CARD', 'MC') THEN 'Mastercard'
  WHEN upper(brand) IN ('AMEX', 'AMERICAN EXPRESS', 'AMERICANEXPRESS') THEN 'American Express'
  WHEN upper(brand) = 'DISCOVER' THEN 'Discover'
  ELSE 'Other card' END AS method, hour
FROM ledger WHERE kind = 'payment';
CREATE TRIGGER ledger_adds_to_day AFTER INSERT ON ledger WHEN NEW.kind <> 'void' BEGIN
  INSERT INTO daily_totals (hub_id, day) VALUES (NEW.hub_id, NEW.day) ON CONFLICT (hub_id, day) DO NOTHING;
  UPDATE daily_totals
  SET net_cents = net_cents + NEW.amount_cents,
    refund_cents = refund_cents - iif(NEW.kind = 'payment', 0, NEW.amount_cents),
    refunds = refunds + iif(NEW.kind = 'payment', 0, 1),
    hours = iif(NEW.kind = 'payment' AND NEW.hour IS NOT NULL,
      json_set(hours, '$."' || NEW.hour || '"', ifnull(json_extract(hours, '$."' || NEW.hour || '"'), 0) + 1), hours)
  WHERE hub_id = NEW.hub_id AND day = NEW.day;
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', ifnull(json_extract(methods, '$."' || paid.method || '"'), 0) + 1)
  FROM payments_by_method AS paid
  WHERE paid.hub_id = NEW.hub_id AND paid.provider_txn_id = NEW.provider_txn_id
    AND daily_totals.hub_id = NEW.hub_id AND daily_totals.day = NEW.day;
END;
CREATE TRIGGER void_leaves_the_day_of_its_payment AFTER INSERT ON ledger WHEN NEW.kind = 'void' BEGIN
  UPDATE daily_totals
  SET net_cents = net_cents + NEW.amount_cents,
    methods = json_set(methods, '$."' || paid.method || '"', json_extract(methods, '$."' || paid.method || '"') - 1),
    hours = iif(paid.hour IS NULL, hours,
      json_set(hours, '$."' || paid.hour || '"', json_extract(hours, '$."' || paid.hour || '"') - 1))
  FROM payments_by_method AS paid
  WHERE paid.attempt_id = NEW.attempt_id AND daily_totals.hub_id = paid.hub_id AND daily_totals.day = paid.day;
END;

-- When the CRM says that it was paid (UTC ms; a day without a time is its midnight in UTC). NULL: it does not say.
ALTER TABLE invoices ADD COLUMN paid_at INTEGER;
CREATE INDEX invoices_paid ON invoices (hub_id, paid_at) WHERE paid_at IS NOT NULL;
`,
  },
  {
    name: '0016_mail_truth.sql',
    sql: `-- What became of a mail, as the mail service tells it by its webhooks: \`provider_id\` is the mail's id there, \`delivery\`
-- the farthest that any event told, \`delivery_at\` that event's time by the service's clock, \`arrived_at\` the time at which
-- it was last told to have arrived. \`ask_at\`: when the service is asked once, because no event has come.
ALTER TABLE outbox ADD COLUMN provider_id TEXT;
ALTER TABLE outbox ADD COLUMN delivery TEXT
  CHECK (delivery IN ('accepted', 'delayed', 'delivered', 'bounced', 'failed', 'suppressed', 'complained'));
ALTER TABLE outbox ADD COLUMN delivery_at INTEGER;
ALTER TABLE outbox ADD COLUMN arrived_at INTEGER;
ALTER TABLE outbox ADD COLUMN ask_at INTEGER;
CREATE INDEX outbox_to_ask ON outbox (ask_at) WHERE ask_at IS NOT NULL;

-- Events of the mail service, so that a repeat changes nothing. Neither subject nor address is in them. \`mail_id\`: the
-- mail of the outbox that it is about; empty: none of ours.
CREATE TABLE mail_events (
  id TEXT PRIMARY KEY,
  mail_id TEXT NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  heard_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mail_events_heard ON mail_events (heard_at);

-- Addresses at which no mail arrives: a permanent bounce, a complaint, or the service's own list. In small letters.
CREATE TABLE mail_addresses (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  address TEXT NOT NULL,
  why TEXT NOT NULL CHECK (why IN ('bounced', 'suppressed', 'complained')),
  mail_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, address)
) STRICT;
CREATE INDEX mail_addresses_at ON mail_addresses (at);
-- By it an event that comes late does not call an address bad at which a later mail arrived.
CREATE INDEX outbox_arrived ON outbox (hub_id, lower(recipient), arrived_at) WHERE arrived_at IS NOT NULL;
`,
  },
  {
    name: '0017_reminders.sql',
    sql: `-- When an account reminds the payers of its invoices; no row, or no \`next_run_at\`: never.
CREATE TABLE reminder_plans (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
  -- Days after the due date, as JSON; negative: before it.
  steps TEXT NOT NULL,
  changed_by INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  -- The last local day whose invoices were looked for.
  done_day TEXT NOT NULL,
  -- When the next are looked for.
  next_run_at INTEGER,
  -- Until then nothing that is owed is sent: outside of hours, above the cap of a day, or while the CRM is silent.
  wait_until INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX reminder_plans_due ON reminder_plans (next_run_at) WHERE next_run_at IS NOT NULL;

-- An invoice and a step of the plan: one row for ever, so one reminder. Its id is that of the mail.
CREATE TABLE reminders (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  invoice_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  -- 'handed': to the outbox, which says what became of it.
  state TEXT NOT NULL CHECK (state IN ('owed', 'handed', 'void', 'skipped')),
  -- Why it was not sent; empty: it was, or it is owed.
  why TEXT NOT NULL DEFAULT '',
  -- The local day on which it was planned, or handed to the outbox.
  day TEXT NOT NULL,
  planned_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reminders_owed ON reminders (hub_id, planned_at) WHERE state = 'owed';
CREATE INDEX reminders_of_invoice ON reminders (hub_id, invoice_id, day);
CREATE INDEX reminders_planned ON reminders (planned_at);

-- Invoices that staff left out.
CREATE TABLE reminder_exclusions (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  invoice_id TEXT NOT NULL,
  excluded_by INTEGER NOT NULL,
  excluded_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, invoice_id)
) STRICT;

-- An address that was reminded, in small letters, with the capability by which it stops the reminders of this business.
CREATE TABLE mail_stops (
  token TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  address TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  stopped_at INTEGER
) STRICT;
CREATE UNIQUE INDEX mail_stops_address ON mail_stops (hub_id, address);
CREATE INDEX mail_stops_unused ON mail_stops (made_at) WHERE stopped_at IS NULL;

-- How many mails to payers an account came to owe on a day; \`at\`: when it began (UTC).
CREATE TABLE mail_days (
  hub_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  mails INTEGER NOT NULL,
  PRIMARY KEY (hub_id, at)
) STRICT;
CREATE INDEX mail_days_at ON mail_days (at);
CREATE TRIGGER outbox_count_day AFTER INSERT ON outbox
WHEN NEW.hub_id IS NOT NULL AND NEW.kind IN ('receipt', 'crm-receipt', 'pay-link', 'reminder') BEGIN
  INSERT INTO mail_days (hub_id, at, mails) VALUES (NEW.hub_id, NEW.created_at - NEW.created_at % 86400000, 1)
  ON CONFLICT (hub_id, at) DO UPDATE SET mails = mails + 1;
END;
`,
  },
  {
    name: '0018_write_back.sql',
    sql: `-- Whether an account's payments are recorded in its CRM; no row: never.
CREATE TABLE crm_write_settings (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  changed_by INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  -- 'not_allowed': the grant lacks the scope; 'cannot': the CRM refused, in the words of \`said\`.
  state TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'not_allowed', 'cannot')),
  said TEXT NOT NULL DEFAULT '',
  -- Nothing is written before then.
  wait_until INTEGER NOT NULL DEFAULT 0,
  -- Whether the last record moved what its invoice owes; NULL: none has told yet.
  moves_balance INTEGER CHECK (moves_balance IN (0, 1))
) STRICT;

-- What the CRM is owed about a row of the ledger, written with it: one row, so one record.
CREATE TABLE crm_writes (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'reversal')),
  amount_cents INTEGER NOT NULL,
  -- 'sent': a record was asked for and may be there; 'unknown': a person decides.
  state TEXT NOT NULL CHECK (state IN ('due', 'sent', 'written', 'refused', 'unknown', 'not_wanted', 'by_hand')),
  -- The CRM's id of the record.
  object_id TEXT NOT NULL DEFAULT '',
  tries INTEGER NOT NULL DEFAULT 0,
  -- How often it was looked for since, or, once written, how often the balance was read.
  looks INTEGER NOT NULL DEFAULT 0,
  -- What was owed right before it was sent.
  balance_cents INTEGER,
  sent_at INTEGER,
  next_try_at INTEGER,
  -- Why not, in the CRM's words or ours.
  said TEXT NOT NULL DEFAULT '',
  -- What the CRM shows of the invoice since; empty: not read yet.
  effect TEXT NOT NULL DEFAULT '' CHECK (effect IN ('', 'paid', 'balance_moved', 'nothing_moved')),
  note TEXT NOT NULL DEFAULT '',
  decided_by INTEGER,
  created_at INTEGER NOT NULL,
  done_at INTEGER
) STRICT;
CREATE INDEX crm_writes_due ON crm_writes (hub_id, next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX crm_writes_sent ON crm_writes (hub_id, invoice_id) WHERE state = 'sent';
CREATE INDEX crm_writes_undone ON crm_writes (hub_id, created_at) WHERE state IN ('refused', 'unknown');
CREATE INDEX crm_writes_attempt ON crm_writes (attempt_id, kind);
CREATE INDEX crm_writes_made ON crm_writes (created_at);

-- Money that went back is owed to the CRM wherever the payment was, also while nothing is written.
CREATE TRIGGER ledger_owes_the_crm AFTER INSERT ON ledger
WHEN (NEW.kind = 'payment' AND EXISTS (SELECT 1 FROM crm_write_settings WHERE hub_id = NEW.hub_id AND is_on = 1))
  OR (NEW.kind <> 'payment' AND EXISTS (SELECT 1 FROM crm_writes WHERE attempt_id = NEW.attempt_id AND kind = 'payment'))
BEGIN
  INSERT INTO crm_writes (id, hub_id, invoice_id, attempt_id, kind, amount_cents, state, next_try_at, created_at)
  VALUES (
    iif(NEW.kind = 'payment', 'pay-' || NEW.attempt_id, 'rev-' || NEW.attempt_id || '-' || NEW.provider_txn_id),
    NEW.hub_id, NEW.invoice_id, NEW.attempt_id, iif(NEW.kind = 'payment', 'payment', 'reversal'),
    abs(NEW.amount_cents), 'due', NEW.at, NEW.at)
  ON CONFLICT DO NOTHING;
END;

-- A new grant may be allowed what the one before was not.
CREATE TRIGGER grant_lets_write AFTER UPDATE OF scopes ON crm_tokens BEGIN
  UPDATE crm_write_settings SET state = 'ready', said = '', wait_until = 0 WHERE hub_id = NEW.hub_id;
  UPDATE crm_writes SET next_try_at = created_at
    WHERE hub_id = NEW.hub_id AND state IN ('refused', 'unknown') AND state = 'refused';
END;
`,
  },
  {
    name: '0019_mailings.sql',
    sql: `-- Payment links that staff mail to the payers of many invoices at once.
CREATE TABLE mailings (
  -- Made by the browser that asks, so that asking again is asking once.
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  asked_by INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  -- Nothing is sent before then, so that it can be taken back.
  starts_at INTEGER NOT NULL,
  -- When it goes on; none: it is over.
  next_at INTEGER,
  stopped_at INTEGER
) STRICT;
-- One at a time: two people who press at once mail nobody twice.
CREATE UNIQUE INDEX mailings_under_way ON mailings (hub_id) WHERE next_at IS NOT NULL;
CREATE INDEX mailings_newest ON mailings (hub_id, asked_at);
CREATE INDEX mailings_asked ON mailings (asked_at);

-- An invoice of a mailing: one row, so one mail, whose id the two make.
CREATE TABLE mailing_invoices (
  mailing_id TEXT NOT NULL,
  invoice_id TEXT NOT NULL,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  -- In which order they go out.
  n INTEGER NOT NULL,
  -- 'handed': to the outbox, which says what became of it.
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'handed', 'left-out')),
  -- Why it was left out; empty: it was not.
  why TEXT NOT NULL DEFAULT '',
  -- When it came to this state.
  at INTEGER NOT NULL,
  PRIMARY KEY (mailing_id, invoice_id)
) STRICT;
CREATE INDEX mailing_invoices_waiting ON mailing_invoices (mailing_id, n) WHERE state = 'waiting';
CREATE INDEX mailing_invoices_at ON mailing_invoices (at);
`,
  },
  {
    name: '0020_payment_notices.sql',
    sql: `-- Who of the staff wants a mail when a pay link is paid; no row: never.
CREATE TABLE payment_notices (
  hub_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  how TEXT NOT NULL CHECK (how IN ('at-once', 'daily')),
  -- Of 'daily': payments before then are told already, or were before the choice.
  told_until INTEGER NOT NULL,
  -- When the next mail of a day is looked for; none: of each payment at once.
  next_at INTEGER,
  PRIMARY KEY (hub_id, user_id),
  FOREIGN KEY (hub_id, user_id) REFERENCES users (hub_id, user_id)
) STRICT;
CREATE INDEX payment_notices_due ON payment_notices (next_at) WHERE next_at IS NOT NULL;

-- Owed with the payment itself: one row of the ledger and one person are one mail.
CREATE TRIGGER ledger_owes_notices AFTER INSERT ON ledger WHEN NEW.kind = 'payment' AND NEW.channel = 'link' BEGIN
  INSERT INTO outbox (id, kind, recipient, hub_id, attempt_id, invoice_id, details, next_try_at, created_at)
  SELECT 'notice-' || NEW.attempt_id || '-' || n.user_id, 'payment-notice', u.email, NEW.hub_id, NEW.attempt_id,
    NEW.invoice_id, json_object('user', CAST(n.user_id AS TEXT)), NEW.at, NEW.at
  FROM payment_notices n JOIN users u ON u.hub_id = n.hub_id AND u.user_id = n.user_id
  WHERE n.hub_id = NEW.hub_id AND n.how = 'at-once' AND u.removed_at IS NULL AND u.email <> ''
    AND NOT EXISTS (SELECT 1 FROM hubs WHERE hub_id = NEW.hub_id AND closes_at IS NOT NULL)
  ON CONFLICT DO NOTHING;
END;

-- Who is invited again chooses again.
CREATE TRIGGER removed_gets_no_notices AFTER UPDATE OF removed_at ON users WHEN NEW.removed_at IS NOT NULL BEGIN
  DELETE FROM payment_notices WHERE hub_id = NEW.hub_id AND user_id = NEW.user_id;
END;

-- As receipts, notices count among the mails of a day and are not held back by them.
DROP TRIGGER outbox_count_day;
CREATE TRIGGER outbox_count_day AFTER INSERT ON outbox
WHEN NEW.hub_id IS NOT NULL
  AND NEW.kind IN ('receipt', 'crm-receipt', 'pay-link', 'reminder', 'payment-notice', 'payment-notice-day') BEGIN
  INSERT INTO mail_days (hub_id, at, mails) VALUES (NEW.hub_id, NEW.created_at - NEW.created_at % 86400000, 1)
  ON CONFLICT (hub_id, at) DO UPDATE SET mails = mails + 1;
END;
`,
  },
  {
    name: '0021_payer_acts.sql',
    sql: `-- How a payer signed: they typed or drew their name, or ticked a sentence; empty: at a terminal, or before this was kept.
ALTER TABLE payment_attempts ADD COLUMN signed_by TEXT NOT NULL DEFAULT '' CHECK (signed_by IN ('', 'typed', 'drawn', 'ticked'));
-- The words that stood there: the typed name or the ticked sentence. The time is that of the attempt.
ALTER TABLE payment_attempts ADD COLUMN signed_words TEXT NOT NULL DEFAULT '';
-- Whom the invoice named when it was paid; who paid may be somebody else.
ALTER TABLE payment_attempts ADD COLUMN billed_to TEXT NOT NULL DEFAULT '';
-- 1: the CRM's contact had a complete address at the last reading. The address itself stays there.
ALTER TABLE invoices ADD COLUMN contact_has_address INTEGER NOT NULL DEFAULT 0 CHECK (contact_has_address IN (0, 1));
`,
  },
  {
    name: '0022_nothing_owed.sql',
    sql: `-- An open invoice on which nothing is left to pay is not owed, and not overdue either: it waits for the CRM to close it.
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
`,
  },
  {
    name: '0023_refund_batches.sql',
    sql: `-- The batch that a void or refund stands in, by the gateway's own word; empty where it has named none.
ALTER TABLE reversals ADD COLUMN batch_id TEXT NOT NULL DEFAULT '';
`,
  },
  {
    name: '0024_payer_language.sql',
    sql: `-- The language of a business's payers where neither their browser nor the CRM tells one.
ALTER TABLE hubs ADD COLUMN payer_language TEXT NOT NULL DEFAULT 'en' CHECK (payer_language IN ('en', 'es'));
-- The language of the page by which somebody paid, for the mails about that payment; empty: at a terminal, or before this was kept.
ALTER TABLE payment_attempts ADD COLUMN payer_language TEXT NOT NULL DEFAULT '' CHECK (payer_language IN ('', 'en', 'es'));
-- The contact's preferred language as the CRM has it ("es", "en-us"); empty where it has none.
ALTER TABLE invoices ADD COLUMN contact_language TEXT NOT NULL DEFAULT '';
`,
  },
  {
    name: '0025_owed_first.sql',
    sql: `-- The order by status of Open Invoices: what is still owed first, the longest due at its head, then every other status, each with
-- its latest due date first. It does not depend on the day: what is overdue stands before what is due by its date.
CREATE INDEX open_invoices_owed_first ON invoices (
  hub_id,
  CASE WHEN overlay = 'none' AND status = 'open' AND balance_cents > 0 THEN '0' || coalesce(due_date, '9')
    ELSE '1' || shown_status || ' ' || (99999999 - replace(coalesce(due_date, ''), '-', '')) END,
  id_number
) WHERE gone_at IS NULL AND (overlay <> 'none' OR status IN ('open', 'paid'));
`,
  },
  {
    name: '0026_bill_lines.sql',
    sql: `-- 1: payers see on their page and receipt what is on the bill. It may tell of their health, so somebody has to say so.
ALTER TABLE hubs ADD COLUMN shows_lines INTEGER NOT NULL DEFAULT 0 CHECK (shows_lines IN (0, 1));
-- What was on the bill at the last reading for its pay page, as JSON; empty: not read, or not shown.
ALTER TABLE invoices ADD COLUMN bill_lines TEXT NOT NULL DEFAULT '';
CREATE INDEX invoices_with_lines ON invoices (hub_id) WHERE bill_lines <> '';
-- What was on the bill that this payment paid: a later collection may have other lines.
ALTER TABLE payment_attempts ADD COLUMN bill_lines TEXT NOT NULL DEFAULT '';
`,
  },
  {
    name: '0027_customers_owe.sql',
    sql: `-- What a customer owes, since which due day, and when they last paid: kept with the contact as its invoices and payments
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
`,
  },
  {
    name: '0028_parts.sql',
    sql: `-- An invoice that is paid in parts, where the account allows it (1) and staff opened it.
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
`,
  },
  {
    name: '0029_refused_tokens.sql',
    sql: `-- A card token whose payer was told that nothing was charged: a request that carries it a second time claims nothing.
CREATE TABLE refused_tokens (
  token_hash TEXT NOT NULL PRIMARY KEY,
  refused_at INTEGER NOT NULL
) STRICT;
CREATE INDEX refused_tokens_at ON refused_tokens (refused_at);
`,
  },
  {
    name: '0030_invoice_balance.sql',
    sql: `-- One account of an invoice's money, over all of its collections. The columns that say how it stands (\`overlay\`,
-- \`part_paid_cents\`, \`given_back_cents\`) follow from its payments, in the statement that moves one: nothing else sets them.
-- The same rule in TypeScript is worker/domain/invoices/invoice-balance.ts.

-- What was taken and kept. \`base_cents\`: what the invoice comes to in installments; NULL: it is paid whole.
CREATE VIEW invoice_sums AS
SELECT i.rowid AS doc, i.hub_id, i.invoice_id, i.collection,
  c.paid_before_cents + c.base_cents AS base_cents,
  c.base_cents AS collection_cents,
  -- Approved payments less what was given back of them, in every collection.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.state = 'approved'), 0) AS kept_cents,
  -- Payments of the present collection that were not voided, before anything was given back of them.
  coalesce((SELECT sum(a.amount_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state IN ('approved', 'refunded')), 0) AS taken_cents,
  coalesce((SELECT sum(a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection), 0) AS given_back_cents,
  -- A bank debit that was accepted, also while a person looks for it.
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id
    AND (a.state = 'pending' OR (a.state = 'needs_human' AND a.needs_human_from = 'pending'))) AS has_pending,
  -- How the booked payment of a whole collection ended, if it did.
  (SELECT a.state FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state IN ('voided', 'refunded', 'returned')
      AND EXISTS (SELECT 1 FROM ledger l WHERE l.attempt_id = a.id AND l.kind = 'payment')
    ORDER BY a.settled_at DESC, a.id DESC LIMIT 1) AS ended_as
FROM invoices i
LEFT JOIN collections c ON c.hub_id = i.hub_id AND c.invoice_id = i.invoice_id AND c.n = i.collection;

-- In installments, the invoice is paid once what is kept comes to the base; money given back after that, but not a void,
-- leaves it paid until staff reopen it. A whole payment closes it until all of that is given back and staff reopen it.
CREATE VIEW invoice_labels AS
SELECT s.*, CASE
    WHEN s.base_cents IS NOT NULL THEN CASE
      WHEN s.kept_cents >= s.base_cents THEN 'paid'
      WHEN s.taken_cents < s.collection_cents THEN 'none'
      WHEN s.kept_cents > s.base_cents - s.collection_cents THEN 'paid'
      ELSE 'refunded' END
    WHEN s.kept_cents > 0 THEN 'paid'
    WHEN s.has_pending THEN 'submitted'
    ELSE coalesce(s.ended_as, 'none') END AS label
FROM invoice_sums s;

DROP TRIGGER parts_paid;
DROP TRIGGER invoices_give_back;
CREATE TRIGGER payments_change_balance AFTER UPDATE OF state, refunded_cents ON payment_attempts
WHEN (OLD.state, OLD.refunded_cents) <> (NEW.state, NEW.refunded_cents)
  AND (OLD.state IN ('pending', 'approved', 'needs_human') OR NEW.state IN ('pending', 'approved', 'voided', 'refunded', 'returned')) BEGIN
  UPDATE invoices SET overlay = b.label, given_back_cents = b.given_back_cents,
      part_paid_cents = iif(b.base_cents IS NULL, 0, b.kept_cents)
    FROM invoice_labels b
    WHERE b.hub_id = NEW.hub_id AND b.invoice_id = NEW.invoice_id AND invoices.rowid = b.doc
      AND (invoices.overlay, invoices.given_back_cents, invoices.part_paid_cents)
        IS NOT (b.label, b.given_back_cents, iif(b.base_cents IS NULL, 0, b.kept_cents));
END;

DROP TRIGGER collections_opened;
CREATE TRIGGER collections_opened AFTER INSERT ON collections BEGIN
  UPDATE invoices SET overlay = b.label, part_base_cents = b.base_cents, part_paid_cents = b.kept_cents
    FROM invoice_labels b
    WHERE b.hub_id = NEW.hub_id AND b.invoice_id = NEW.invoice_id AND b.collection = NEW.n AND invoices.rowid = b.doc;
END;

-- What a collection in installments comes to and what of that is kept, those of earlier collections included.
DROP VIEW part_sums;
CREATE VIEW part_sums AS
  SELECT c.hub_id, c.invoice_id, c.n, c.paid_before_cents + c.base_cents AS base_cents,
    coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
      WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id AND a.state = 'approved'), 0) AS paid_cents
  FROM collections c;

-- Part of every claim, so that no two of them meet the same rest. Money of the invoice in any collection counts: kept, under
-- way, or before a person. A claim that may not be does nothing, as one that lost.
DROP TRIGGER parts_claimed;
CREATE TRIGGER claims_fit BEFORE INSERT ON payment_attempts
WHEN NEW.state = 'sent' AND (
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id
    AND (
      -- The unique indexes hold one under way in the present collection; here are the others.
      (a.state IN ('sent', 'unknown', 'pending') AND a.collection <> NEW.collection)
      -- One that was released as not charged may still show up for a day. Under its key the gateway takes the same amount
      -- once, but another amount, or another key, again. What a person released is believed.
      OR (a.state = 'not_charged' AND a.settled_at > NEW.created_at - 86400000
        AND ((a.collection <> NEW.collection AND a.needs_human_from = '')
          OR (a.collection = NEW.collection AND a.part = NEW.part AND a.amount_cents <> NEW.amount_cents)))))
  OR iif(
    EXISTS (SELECT 1 FROM collections c WHERE c.hub_id = NEW.hub_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection),
    NOT EXISTS (SELECT 1 FROM (
        SELECT c.*, s.base_cents - s.paid_cents - NEW.amount_cents - coalesce((SELECT sum(a.amount_cents)
            FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
              AND a.state IN ('sent', 'unknown', 'pending')), 0) AS rest_cents,
          (SELECT count(*) FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
            AND a.collection = c.n AND a.state = 'approved') AS kept
        FROM collections c JOIN part_sums s ON s.hub_id = c.hub_id AND s.invoice_id = c.invoice_id AND s.n = c.n
        WHERE c.hub_id = NEW.hub_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection) c
      WHERE c.state = 'open' AND NEW.method = 'card'
        AND NEW.part = 1 + (SELECT count(*) FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
          AND a.collection = c.n AND a.state IN ('approved', 'voided', 'refunded', 'returned'))
        AND (c.rest_cents = 0 OR (c.rest_cents >= c.min_cents AND NEW.amount_cents >= c.min_cents AND c.kept + 1 < c.max_parts))),
    NEW.part <> 1 OR EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id
      AND a.collection <> NEW.collection AND a.state = 'approved' AND a.amount_cents > a.refunded_cents)))
BEGIN
  SELECT RAISE(IGNORE);
END;

-- What stands already follows from the same rule.
UPDATE invoices SET overlay = b.label, given_back_cents = b.given_back_cents,
    part_paid_cents = iif(b.base_cents IS NULL, 0, b.kept_cents)
  FROM invoice_labels b
  WHERE invoices.rowid = b.doc
    AND EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = b.hub_id AND a.invoice_id = b.invoice_id)
    AND (invoices.overlay, invoices.given_back_cents, invoices.part_paid_cents)
      IS NOT (b.label, b.given_back_cents, iif(b.base_cents IS NULL, 0, b.kept_cents));
`,
  },
  {
    name: '0031_days.sql',
    sql: `-- One sum for every figure of a day: ledger entries by the local day that they were booked with, without those of payments
-- that were voided. A voided payment was never charged, so it and what was given back of it before count on no day.
CREATE VIEW counted_entries AS
SELECT * FROM ledger AS l
WHERE l.kind <> 'void' AND NOT EXISTS (SELECT 1 FROM ledger gone WHERE gone.attempt_id = l.attempt_id AND gone.kind = 'void');

DROP TRIGGER ledger_adds_to_day;
CREATE TRIGGER ledger_adds_to_day AFTER INSERT ON ledger
WHEN NEW.kind <> 'void'
  AND NOT EXISTS (SELECT 1 FROM ledger gone WHERE gone.attempt_id = NEW.attempt_id AND gone.kind = 'void') BEGIN
  INSERT INTO daily_totals (hub_id, day) VALUES (NEW.hub_id, NEW.day) ON CONFLICT (hub_id, day) DO NOTHING;
  UPDATE daily_totals
  SET net_cents = net_cents + NEW.amount_cents,
    refund_cents = refund_cents - iif(NEW.kind = 'payment', 0, NEW.amount_cents),
    refunds = refunds + iif(NEW.kind = 'payment', 0, 1),
    hours = iif(NEW.kind = 'payment' AND NEW.hour IS NOT NULL,
      json_set(hours, '$."' || NEW.hour || '"', ifnull(json_extract(hours, '$."' || NEW.hour || '"'), 0) + 1), hours)
  WHERE hub_id = NEW.hub_id AND day = NEW.day;
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', ifnull(json_extract(methods, '$."' || paid.method || '"'), 0) + 1)
  FROM payments_by_method AS paid
  WHERE paid.hub_id = NEW.hub_id AND paid.provider_txn_id = NEW.provider_txn_id
    AND daily_totals.hub_id = NEW.hub_id AND daily_totals.day = NEW.day;
END;

DROP TRIGGER void_leaves_the_day_of_its_payment;
CREATE TRIGGER void_leaves_the_days_of_its_payment AFTER INSERT ON ledger
WHEN NEW.kind = 'void'
  AND NOT EXISTS (SELECT 1 FROM ledger gone
    WHERE gone.attempt_id = NEW.attempt_id AND gone.kind = 'void' AND gone.provider_txn_id <> NEW.provider_txn_id) BEGIN
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', json_extract(methods, '$."' || paid.method || '"') - 1),
    hours = iif(paid.hour IS NULL, hours,
      json_set(hours, '$."' || paid.hour || '"', json_extract(hours, '$."' || paid.hour || '"') - 1))
  FROM payments_by_method AS paid
  WHERE paid.attempt_id = NEW.attempt_id AND daily_totals.hub_id = paid.hub_id AND daily_totals.day = paid.day;
  UPDATE daily_totals
  SET net_cents = net_cents - moved.cents, refund_cents = refund_cents - moved.back_cents, refunds = refunds - moved.backs
  FROM (SELECT hub_id, day, sum(amount_cents) AS cents, -sum(iif(kind = 'payment', 0, amount_cents)) AS back_cents,
      sum(kind <> 'payment') AS backs
    FROM ledger WHERE attempt_id = NEW.attempt_id AND kind <> 'void' GROUP BY hub_id, day) AS moved
  WHERE daily_totals.hub_id = moved.hub_id AND daily_totals.day = moved.day;
END;

-- A payment that was refunded in part and voided after that, on the days that were kept before.
UPDATE daily_totals SET net_cents = net_cents - wrong.cents, refund_cents = refund_cents + wrong.back, refunds = refunds - wrong.n
FROM (SELECT back.hub_id, back.day, sum(back.amount_cents) AS cents, sum(back.amount_cents) AS back, count(*) AS n
  FROM ledger back JOIN ledger void ON void.attempt_id = back.attempt_id AND void.kind = 'void'
  WHERE back.kind IN ('refund', 'return') GROUP BY back.hub_id, back.day) AS wrong
WHERE wrong.hub_id = daily_totals.hub_id AND wrong.day = daily_totals.day;
UPDATE daily_totals SET net_cents = net_cents + wrong.cents
FROM (SELECT paid.hub_id, paid.day, sum(back.amount_cents) AS cents
  FROM ledger back JOIN ledger void ON void.attempt_id = back.attempt_id AND void.kind = 'void'
  JOIN ledger paid ON paid.attempt_id = back.attempt_id AND paid.kind = 'payment'
  WHERE back.kind IN ('refund', 'return') GROUP BY paid.hub_id, paid.day) AS wrong
WHERE wrong.hub_id = daily_totals.hub_id AND wrong.day = daily_totals.day;
`,
  },
  {
    name: '0032_ends_of_states.sql',
    sql: `-- A bank debit that stays without an end goes before a person, and leaves again when the gateway shows its end. A refund
-- that was voided at the gateway is taken back: the reversal was not done, and a payment with something left is approved.
DROP TRIGGER payment_attempts_moves;
CREATE TRIGGER payment_attempts_moves BEFORE UPDATE OF state ON payment_attempts
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent'
      AND NEW.state IN ('approved', 'declined', 'rejected', 'pending', 'unknown', 'cancelled', 'timed_out'))
  OR (OLD.state = 'unknown'
      AND NEW.state IN ('approved', 'declined', 'pending', 'not_charged', 'needs_human', 'cancelled', 'timed_out'))
  OR (OLD.state = 'pending' AND NEW.state IN ('approved', 'returned', 'needs_human'))
  OR (OLD.state IN ('not_charged', 'cancelled', 'timed_out') AND NEW.state = 'needs_human')
  -- A person looked at it and said, with a note, what it was; or the gateway shows the end of a debit after all.
  OR (OLD.state = 'needs_human' AND NEW.state IN ('approved', 'not_charged', 'voided'))
  OR (OLD.state = 'needs_human' AND NEW.state = 'returned' AND OLD.needs_human_from = 'pending')
  OR (OLD.state = 'approved' AND NEW.state IN ('voided', 'refunded', 'returned'))
  OR (OLD.state = 'refunded' AND NEW.state = 'approved' AND NEW.refunded_cents < NEW.amount_cents)
)
BEGIN
  SELECT RAISE(ABORT, 'this payment cannot move to that state');
END;

DROP TRIGGER reversals_moves;
CREATE TRIGGER reversals_moves BEFORE UPDATE OF state ON reversals
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent' AND NEW.state IN ('approved', 'refused', 'unknown'))
  OR (OLD.state = 'unknown' AND NEW.state IN ('approved', 'refused', 'not_done', 'needs_human'))
  -- Late, but the gateway has carried it out.
  OR (OLD.state = 'not_done' AND NEW.state IN ('approved', 'needs_human'))
  OR (OLD.state = 'needs_human' AND NEW.state IN ('approved', 'not_done'))
  -- A refund that was voided at the gateway.
  OR (OLD.state = 'approved' AND NEW.state = 'not_done' AND OLD.kind = 'refund')
)
BEGIN
  SELECT RAISE(ABORT, 'this reversal cannot move to that state');
END;
`,
  },
  {
    name: '0033_refused_terminals.sql',
    sql: `-- When the card provider refused a terminal's credentials and has not taken them since (UTC ms): another one is used.
ALTER TABLE terminals ADD COLUMN refused_at INTEGER;

-- Card transactions that a void may still take back; worker/data/reconciliation/unsettled.ts asks which are not settled.
CREATE INDEX gateway_transactions_voidable ON gateway_transactions (hub_id, at)
WHERE method = 'card' AND state = 'approved' AND is_voided = 0;
`,
  },
  {
    name: '0034_refused_keys.sql',
    sql: `-- The key of a form whose sender was told that nothing was charged, or started: a request that carries it claims nothing.
CREATE TABLE refused_keys (
  hub_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  attempt_key TEXT NOT NULL,
  refused_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, invoice_id, attempt_key)
) STRICT;
CREATE INDEX refused_keys_at ON refused_keys (refused_at);
`,
  },
  {
    name: '0035_approvals_due.sql',
    sql: `-- When an approved refund or void is carried out by the clock, should the request that approved it have ended before; NULL:
-- nothing is left to do.
ALTER TABLE approvals ADD COLUMN next_try_at INTEGER;
CREATE INDEX approvals_due ON approvals (next_try_at) WHERE next_try_at IS NOT NULL;
UPDATE approvals SET next_try_at = decided_at WHERE state = 'approved' AND NOT EXISTS (SELECT 1 FROM reversals r
  WHERE r.attempt_id = approvals.attempt_id AND r.request_key = approvals.request_key);
`,
  },
  {
    name: '0036_unreadable_amounts.sql',
    sql: `-- Open invoices of which the CRM names no amount that can be read: nobody is asked for them until staff correct them there.
CREATE INDEX invoices_unreadable ON invoices (hub_id, modified_at, invoice_id)
  WHERE gone_at IS NULL AND overlay = 'none' AND status = 'open' AND currency = 'USD' AND balance_cents IS NULL
    AND part_base_cents IS NULL;
`,
  },
  {
    name: '0037_numbers_by_method.sql',
    sql: `-- The card provider numbers card transactions and bank debits apart, so one number may name one of each. Both tables are made
-- anew with the method in their key; SQLite cannot change a key.

CREATE TABLE ledger_before AS SELECT rowid AS seq, * FROM ledger;
DROP TABLE ledger;
CREATE TABLE ledger (
  hub_id INTEGER NOT NULL,
  provider_txn_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL REFERENCES payment_attempts (id),
  invoice_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund', 'void', 'return')),
  amount_cents INTEGER NOT NULL,
  currency TEXT NOT NULL,
  channel TEXT NOT NULL,
  method TEXT NOT NULL,
  brand TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- \`at\` as a day of the hub (YYYY-MM-DD): SQL knows no time zones.
  day TEXT NOT NULL DEFAULT '',
  -- \`at\` as an hour of the hub (0 to 23), of payments. NULL: booked before this was kept.
  hour INTEGER,
  PRIMARY KEY (hub_id, provider_txn_id, method)
) STRICT;
INSERT INTO ledger (rowid, hub_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method,
    brand, at, day, hour)
  SELECT seq, hub_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method,
    brand, at, day, hour FROM ledger_before ORDER BY seq;
DROP TABLE ledger_before;
CREATE INDEX ledger_attempt ON ledger (attempt_id);
CREATE INDEX ledger_day ON ledger (hub_id, at);

CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER ledger_keeps_all BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;

-- As before; the number of an entry is looked for with its payment.
CREATE TRIGGER ledger_adds_to_day AFTER INSERT ON ledger
WHEN NEW.kind <> 'void'
  AND NOT EXISTS (SELECT 1 FROM ledger gone WHERE gone.attempt_id = NEW.attempt_id AND gone.kind = 'void') BEGIN
  INSERT INTO daily_totals (hub_id, day) VALUES (NEW.hub_id, NEW.day) ON CONFLICT (hub_id, day) DO NOTHING;
  UPDATE daily_totals
  SET net_cents = net_cents + NEW.amount_cents,
    refund_cents = refund_cents - iif(NEW.kind = 'payment', 0, NEW.amount_cents),
    refunds = refunds + iif(NEW.kind = 'payment', 0, 1),
    hours = iif(NEW.kind = 'payment' AND NEW.hour IS NOT NULL,
      json_set(hours, '$."' || NEW.hour || '"', ifnull(json_extract(hours, '$."' || NEW.hour || '"'), 0) + 1), hours)
  WHERE hub_id = NEW.hub_id AND day = NEW.day;
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', ifnull(json_extract(methods, '$."' || paid.method || '"'), 0) + 1)
  FROM payments_by_method AS paid
  WHERE paid.hub_id = NEW.hub_id AND paid.provider_txn_id = NEW.provider_txn_id AND paid.attempt_id = NEW.attempt_id
    AND daily_totals.hub_id = NEW.hub_id AND daily_totals.day = NEW.day;
END;

CREATE TRIGGER void_leaves_the_days_of_its_payment AFTER INSERT ON ledger
WHEN NEW.kind = 'void'
  AND NOT EXISTS (SELECT 1 FROM ledger gone
    WHERE gone.attempt_id = NEW.attempt_id AND gone.kind = 'void' AND gone.provider_txn_id <> NEW.provider_txn_id) BEGIN
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', json_extract(methods, '$."' || paid.method || '"') - 1),
    hours = iif(paid.hour IS NULL, hours,
      json_set(hours, '$."' || paid.hour || '"', json_extract(hours, '$."' || paid.hour || '"') - 1))
  FROM payments_by_method AS paid
  WHERE paid.attempt_id = NEW.attempt_id AND daily_totals.hub_id = paid.hub_id AND daily_totals.day = paid.day;
  UPDATE daily_totals
  SET net_cents = net_cents - moved.cents, refund_cents = refund_cents - moved.back_cents, refunds = refunds - moved.backs
  FROM (SELECT hub_id, day, sum(amount_cents) AS cents, -sum(iif(kind = 'payment', 0, amount_cents)) AS back_cents,
      sum(kind <> 'payment') AS backs
    FROM ledger WHERE attempt_id = NEW.attempt_id AND kind <> 'void' GROUP BY hub_id, day) AS moved
  WHERE daily_totals.hub_id = moved.hub_id AND daily_totals.day = moved.day;
END;

CREATE TRIGGER ledger_owes_the_crm AFTER INSERT ON ledger
WHEN (NEW.kind = 'payment' AND EXISTS (SELECT 1 FROM crm_write_settings WHERE hub_id = NEW.hub_id AND is_on = 1))
  OR (NEW.kind <> 'payment' AND EXISTS (SELECT 1 FROM crm_writes WHERE attempt_id = NEW.attempt_id AND kind = 'payment'))
BEGIN
  INSERT INTO crm_writes (id, hub_id, invoice_id, attempt_id, kind, amount_cents, state, next_try_at, created_at)
  VALUES (
    iif(NEW.kind = 'payment', 'pay-' || NEW.attempt_id, 'rev-' || NEW.attempt_id || '-' || NEW.provider_txn_id),
    NEW.hub_id, NEW.invoice_id, NEW.attempt_id, iif(NEW.kind = 'payment', 'payment', 'reversal'),
    abs(NEW.amount_cents), 'due', NEW.at, NEW.at)
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER ledger_owes_notices AFTER INSERT ON ledger WHEN NEW.kind = 'payment' AND NEW.channel = 'link' BEGIN
  INSERT INTO outbox (id, kind, recipient, hub_id, attempt_id, invoice_id, details, next_try_at, created_at)
  SELECT 'notice-' || NEW.attempt_id || '-' || n.user_id, 'payment-notice', u.email, NEW.hub_id, NEW.attempt_id,
    NEW.invoice_id, json_object('user', CAST(n.user_id AS TEXT)), NEW.at, NEW.at
  FROM payment_notices n JOIN users u ON u.hub_id = n.hub_id AND u.user_id = n.user_id
  WHERE n.hub_id = NEW.hub_id AND n.how = 'at-once' AND u.removed_at IS NULL AND u.email <> ''
    AND NOT EXISTS (SELECT 1 FROM hubs WHERE hub_id = NEW.hub_id AND closes_at IS NOT NULL)
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER ledger_customer_paid AFTER INSERT ON ledger WHEN NEW.kind = 'payment' BEGIN
  UPDATE contacts SET last_paid_at = max(last_paid_at, NEW.at) FROM invoices i
    WHERE i.hub_id = NEW.hub_id AND i.invoice_id = NEW.invoice_id AND i.gone_at IS NULL
      AND contacts.hub_id = i.hub_id AND contacts.contact_id = i.contact_id;
END;

CREATE TRIGGER ledger_customer_unpaid AFTER INSERT ON ledger WHEN NEW.kind IN ('void', 'return') BEGIN
  UPDATE contacts SET last_paid_at = s.last_paid_at FROM ledger p, invoices i, customer_sums s
    WHERE p.attempt_id = NEW.attempt_id AND p.kind = 'payment'
      AND i.hub_id = NEW.hub_id AND i.invoice_id = NEW.invoice_id
      AND contacts.hub_id = i.hub_id AND contacts.contact_id = i.contact_id AND contacts.last_paid_at <= p.at
      AND s.doc = contacts.rowid;
END;

CREATE TABLE gateway_transactions_before AS SELECT rowid AS seq, * FROM gateway_transactions;
DROP TABLE gateway_transactions;
CREATE TABLE gateway_transactions (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  provider_txn_id TEXT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('card', 'ach')),
  terminal_id TEXT NOT NULL,
  -- Empty for what is in no batch.
  batch_id TEXT NOT NULL,
  -- In the gateway's words: SALE, REFUND, VOID, DEBIT...
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  is_voided INTEGER NOT NULL,
  amount_cents INTEGER,
  -- What it moved in the end: money taken in is positive, given back negative, 0 where none moved; null: not decided yet.
  effect_cents INTEGER,
  order_id TEXT NOT NULL,
  parent_id TEXT NOT NULL,
  -- The gateway's \`invoice\`.
  dedupe_key TEXT NOT NULL,
  card TEXT NOT NULL,
  payer TEXT NOT NULL,
  at INTEGER,
  seen_at INTEGER NOT NULL,
  -- As of seen_at. 'earlier': from before this merchant's terminals were ours.
  verdict TEXT NOT NULL DEFAULT 'none'
    CHECK (verdict IN ('none', 'earlier', 'matched', 'only-gateway', 'amount-differs')),
  PRIMARY KEY (hub_id, provider_txn_id, method)
) STRICT;
INSERT INTO gateway_transactions (rowid, hub_id, provider_txn_id, method, terminal_id, batch_id, kind, state, is_voided, amount_cents, effect_cents,
    order_id, parent_id, dedupe_key, card, payer, at, seen_at, verdict)
  SELECT seq, hub_id, provider_txn_id, method, terminal_id, batch_id, kind, state, is_voided, amount_cents, effect_cents,
    order_id, parent_id, dedupe_key, card, payer, at, seen_at, verdict FROM gateway_transactions_before ORDER BY seq;
DROP TABLE gateway_transactions_before;
CREATE INDEX gateway_transactions_batch ON gateway_transactions (hub_id, batch_id);
CREATE INDEX gateway_transactions_open ON gateway_transactions (hub_id, at)
  WHERE verdict IN ('only-gateway', 'amount-differs');
CREATE INDEX gateway_transactions_parent ON gateway_transactions (hub_id, parent_id) WHERE parent_id <> '';
CREATE INDEX gateway_transactions_with_payer ON gateway_transactions (at) WHERE payer <> '';
CREATE INDEX gateway_transactions_without_payer ON gateway_transactions (at) WHERE payer = '';
-- Card transactions that a void may still take back; worker/data/reconciliation/unsettled.ts asks which are not settled.
CREATE INDEX gateway_transactions_voidable ON gateway_transactions (hub_id, at)
WHERE method = 'card' AND state = 'approved' AND is_voided = 0;
`,
  },
  {
    name: '0038_ended_keys.sql',
    sql: `-- A payment that came to nothing ends the key of its form in the same write: its payer, or staff at the desk, read that nothing
-- was charged, while an earlier press of that form, with another card, may still be on its way.
CREATE TRIGGER payments_end_their_key AFTER UPDATE OF state ON payment_attempts
WHEN OLD.state <> NEW.state AND NEW.attempt_key IS NOT NULL
  AND NEW.state IN ('declined', 'rejected', 'not_charged', 'cancelled', 'timed_out', 'returned')
BEGIN
  INSERT INTO refused_keys (hub_id, invoice_id, attempt_key, refused_at)
  VALUES (NEW.hub_id, NEW.invoice_id, NEW.attempt_key, coalesce(NEW.settled_at, NEW.created_at))
  ON CONFLICT DO NOTHING;
END;
`,
  },
  {
    name: '0039_left_of_a_collection.sql',
    sql: `-- Whether anything is left of the payments of a collection is asked of these alone: what went back of an earlier collection
-- says nothing of them.
DROP VIEW invoice_labels;
DROP VIEW invoice_sums;
CREATE VIEW invoice_sums AS
SELECT i.rowid AS doc, i.hub_id, i.invoice_id, i.collection,
  c.paid_before_cents + c.base_cents AS base_cents,
  c.base_cents AS collection_cents,
  -- Approved payments less what was given back of them, in every collection.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.state = 'approved'), 0) AS kept_cents,
  -- Payments of the present collection that were not voided, before anything was given back of them.
  coalesce((SELECT sum(a.amount_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state IN ('approved', 'refunded')), 0) AS taken_cents,
  -- What is left of these.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state = 'approved'), 0) AS left_cents,
  coalesce((SELECT sum(a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection), 0) AS given_back_cents,
  -- A bank debit that was accepted, also while a person looks for it.
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id
    AND (a.state = 'pending' OR (a.state = 'needs_human' AND a.needs_human_from = 'pending'))) AS has_pending,
  -- How the booked payment of a whole collection ended, if it did.
  (SELECT a.state FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state IN ('voided', 'refunded', 'returned')
      AND EXISTS (SELECT 1 FROM ledger l WHERE l.attempt_id = a.id AND l.kind = 'payment')
    ORDER BY a.settled_at DESC, a.id DESC LIMIT 1) AS ended_as
FROM invoices i
LEFT JOIN collections c ON c.hub_id = i.hub_id AND c.invoice_id = i.invoice_id AND c.n = i.collection;
CREATE VIEW invoice_labels AS
SELECT s.*, CASE
    WHEN s.base_cents IS NOT NULL THEN CASE
      WHEN s.kept_cents >= s.base_cents THEN 'paid'
      WHEN s.taken_cents < s.collection_cents THEN 'none'
      WHEN s.left_cents > 0 THEN 'paid'
      ELSE 'refunded' END
    WHEN s.kept_cents > 0 THEN 'paid'
    WHEN s.has_pending THEN 'submitted'
    ELSE coalesce(s.ended_as, 'none') END AS label
FROM invoice_sums s;
`,
  },
  {
    name: '0040_taken_before.sql',
    sql: `-- What the earlier collections had taken when this one was opened, before anything was given back of it. A payment of theirs
-- that is voided or returned later is owed again, as one of this collection is.
ALTER TABLE collections ADD COLUMN taken_before_cents INTEGER NOT NULL DEFAULT 0 CHECK (taken_before_cents >= 0);
DROP TRIGGER collections_keep_their_base;
UPDATE collections SET taken_before_cents = coalesce((SELECT sum(a.amount_cents) FROM payment_attempts a
  WHERE a.hub_id = collections.hub_id AND a.invoice_id = collections.invoice_id AND a.collection < collections.n
    AND a.state IN ('approved', 'refunded')), 0);
CREATE TRIGGER collections_keep_their_base BEFORE UPDATE ON collections
WHEN (OLD.hub_id, OLD.invoice_id, OLD.n, OLD.base_cents, OLD.min_cents, OLD.deposit_cents, OLD.max_parts,
    OLD.paid_before_cents, OLD.taken_before_cents, OLD.crm_balance_cents, OLD.crm_billed_cents, OLD.opened_by, OLD.opened_at)
  IS NOT (NEW.hub_id, NEW.invoice_id, NEW.n, NEW.base_cents, NEW.min_cents, NEW.deposit_cents, NEW.max_parts,
    NEW.paid_before_cents, NEW.taken_before_cents, NEW.crm_balance_cents, NEW.crm_billed_cents, NEW.opened_by, NEW.opened_at)
  OR (OLD.state = 'closed' AND NEW.state <> 'closed') OR (OLD.state = 'frozen' AND NEW.state = 'open')
BEGIN
  SELECT RAISE(ABORT, 'what a collection was opened with never changes');
END;

DROP VIEW invoice_labels;
DROP VIEW invoice_sums;
CREATE VIEW invoice_sums AS
SELECT i.rowid AS doc, i.hub_id, i.invoice_id, i.collection,
  c.paid_before_cents + c.base_cents AS base_cents,
  c.taken_before_cents + c.base_cents AS to_take_cents,
  -- Approved payments less what was given back of them, in every collection.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.state = 'approved'), 0) AS kept_cents,
  -- Payments that were not voided or returned, before anything was given back of them, in every collection.
  coalesce((SELECT sum(a.amount_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.state IN ('approved', 'refunded')), 0) AS taken_cents,
  -- What is left of those of the present collection.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state = 'approved'), 0) AS left_cents,
  coalesce((SELECT sum(a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection), 0) AS given_back_cents,
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id
    AND a.collection = i.collection AND a.state = 'refunded') AS has_refunded,
  -- A bank debit that was accepted, also while a person looks for it.
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id
    AND (a.state = 'pending' OR (a.state = 'needs_human' AND a.needs_human_from = 'pending'))) AS has_pending,
  -- How the booked payment of a whole collection ended, if it did.
  (SELECT a.state FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state IN ('voided', 'refunded', 'returned')
      AND EXISTS (SELECT 1 FROM ledger l WHERE l.attempt_id = a.id AND l.kind = 'payment')
    ORDER BY a.settled_at DESC, a.id DESC LIMIT 1) AS ended_as
FROM invoices i
LEFT JOIN collections c ON c.hub_id = i.hub_id AND c.invoice_id = i.invoice_id AND c.n = i.collection;
CREATE VIEW invoice_labels AS
SELECT s.*, CASE
    WHEN s.base_cents IS NOT NULL THEN CASE
      WHEN s.kept_cents >= s.base_cents THEN 'paid'
      WHEN s.taken_cents < s.to_take_cents THEN 'none'
      WHEN s.left_cents > 0 THEN 'paid'
      WHEN s.has_refunded THEN 'refunded'
      ELSE 'none' END
    WHEN s.kept_cents > 0 THEN 'paid'
    WHEN s.has_pending THEN 'submitted'
    ELSE coalesce(s.ended_as, 'none') END AS label
FROM invoice_sums s;
UPDATE invoices SET overlay = b.label FROM invoice_labels b
  WHERE invoices.rowid = b.doc AND invoices.part_base_cents IS NOT NULL AND invoices.overlay <> b.label;
`,
  },
  {
    name: '0041_claims_fit.sql',
    sql: `-- A charge that was released as not charged may still show up for a day. The gateway compares cards and bank debits apart, so a
-- payment by the other way is no copy of it and would be a second charge. The next part follows the last one that took money: a
-- restore may have lost one before it, whose number must not be used again.
DROP TRIGGER claims_fit;
CREATE TRIGGER claims_fit BEFORE INSERT ON payment_attempts
WHEN NEW.state = 'sent' AND (
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id
    AND (
      -- The unique indexes hold one under way in the present collection; here are the others.
      (a.state IN ('sent', 'unknown', 'pending') AND a.collection <> NEW.collection)
      -- One that was released as not charged may still show up for a day. Under its key the gateway takes the same amount
      -- by the same way of paying once, but anything else again. What a person released is believed.
      OR (a.state = 'not_charged' AND a.settled_at > NEW.created_at - 86400000
        AND ((a.collection <> NEW.collection AND a.needs_human_from = '')
          OR (a.collection = NEW.collection AND a.part = NEW.part AND (a.amount_cents <> NEW.amount_cents OR a.method <> NEW.method))))))
  OR iif(
    EXISTS (SELECT 1 FROM collections c WHERE c.hub_id = NEW.hub_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection),
    NOT EXISTS (SELECT 1 FROM (
        SELECT c.*, s.base_cents - s.paid_cents - NEW.amount_cents - coalesce((SELECT sum(a.amount_cents)
            FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
              AND a.state IN ('sent', 'unknown', 'pending')), 0) AS rest_cents,
          (SELECT count(*) FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
            AND a.collection = c.n AND a.state = 'approved') AS kept
        FROM collections c JOIN part_sums s ON s.hub_id = c.hub_id AND s.invoice_id = c.invoice_id AND s.n = c.n
        WHERE c.hub_id = NEW.hub_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection) c
      WHERE c.state = 'open' AND NEW.method = 'card'
        AND NEW.part = 1 + (SELECT coalesce(max(a.part), 0) FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
          AND a.collection = c.n AND a.state IN ('approved', 'voided', 'refunded', 'returned'))
        AND (c.rest_cents = 0 OR (c.rest_cents >= c.min_cents AND NEW.amount_cents >= c.min_cents AND c.kept + 1 < c.max_parts))),
    NEW.part <> 1 OR EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id
      AND a.collection <> NEW.collection AND a.state = 'approved' AND a.amount_cents > a.refunded_cents)))
BEGIN
  SELECT RAISE(IGNORE);
END;
`,
  },
  {
    name: '0042_spent_keys.sql',
    sql: `-- The gateway counts a charge under the key of this attempt, although nothing of it is with the clinic: a person released it.
ALTER TABLE payment_attempts ADD COLUMN key_spent INTEGER NOT NULL DEFAULT 0 CHECK (key_spent IN (0, 1));

-- \`taken\`: the number of the last part whose key the gateway counts. The next part follows it and has a key of its own; a
-- restore may have lost one before it, whose number must not be used again.
DROP VIEW part_sums;
CREATE VIEW part_sums AS
  SELECT c.hub_id, c.invoice_id, c.n, c.paid_before_cents + c.base_cents AS base_cents,
    coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
      WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id AND a.state = 'approved'), 0) AS paid_cents,
    coalesce((SELECT max(a.part) FROM payment_attempts a
      WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id AND a.collection = c.n
        AND (a.state IN ('approved', 'voided', 'refunded', 'returned') OR a.key_spent = 1)), 0) AS taken
  FROM collections c;

DROP TRIGGER claims_fit;
CREATE TRIGGER claims_fit BEFORE INSERT ON payment_attempts
WHEN NEW.state = 'sent' AND (
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id
    AND (
      -- The unique indexes hold one under way in the present collection; here are the others.
      (a.state IN ('sent', 'unknown', 'pending') AND a.collection <> NEW.collection)
      -- One that was released as not charged may still show up for a day. Under its key the gateway takes the same amount
      -- by the same way of paying once, but anything else again. What a person released is believed.
      OR (a.state = 'not_charged' AND a.settled_at > NEW.created_at - 86400000
        AND ((a.collection <> NEW.collection AND a.needs_human_from = '')
          OR (a.collection = NEW.collection AND a.part = NEW.part AND (a.amount_cents <> NEW.amount_cents OR a.method <> NEW.method))))))
  OR iif(
    EXISTS (SELECT 1 FROM collections c WHERE c.hub_id = NEW.hub_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection),
    NOT EXISTS (SELECT 1 FROM (
        SELECT c.*, s.taken, s.base_cents - s.paid_cents - NEW.amount_cents - coalesce((SELECT sum(a.amount_cents)
            FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
              AND a.state IN ('sent', 'unknown', 'pending')), 0) AS rest_cents,
          (SELECT count(*) FROM payment_attempts a WHERE a.hub_id = c.hub_id AND a.invoice_id = c.invoice_id
            AND a.collection = c.n AND a.state = 'approved') AS kept
        FROM collections c JOIN part_sums s ON s.hub_id = c.hub_id AND s.invoice_id = c.invoice_id AND s.n = c.n
        WHERE c.hub_id = NEW.hub_id AND c.invoice_id = NEW.invoice_id AND c.n = NEW.collection) c
      WHERE c.state = 'open' AND NEW.method = 'card'
        AND NEW.part = 1 + c.taken
        AND (c.rest_cents = 0 OR (c.rest_cents >= c.min_cents AND NEW.amount_cents >= c.min_cents AND c.kept + 1 < c.max_parts))),
    NEW.part <> 1 OR EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = NEW.hub_id AND a.invoice_id = NEW.invoice_id
      AND a.collection <> NEW.collection AND a.state = 'approved' AND a.amount_cents > a.refunded_cents)))
BEGIN
  SELECT RAISE(IGNORE);
END;
`,
  },
  {
    name: '0043_owed_again.sql',
    sql: `-- Of what was given back, what went back while the invoice still took installments: it is owed again, and its payment has not
-- taken it. What goes back after the last installment leaves the invoice paid until staff reopen it.
ALTER TABLE payment_attempts ADD COLUMN owed_again_cents INTEGER NOT NULL DEFAULT 0
  CHECK (owed_again_cents BETWEEN 0 AND amount_cents);
-- Of an invoice that is open nothing went back after the last one.
UPDATE payment_attempts SET owed_again_cents = refunded_cents
  WHERE refunded_cents > 0 AND state IN ('approved', 'refunded')
    AND EXISTS (SELECT 1 FROM invoices i WHERE i.hub_id = payment_attempts.hub_id AND i.invoice_id = payment_attempts.invoice_id
      AND i.collection = payment_attempts.collection AND i.overlay = 'none' AND i.part_base_cents IS NOT NULL);

DROP VIEW invoice_labels;
DROP VIEW invoice_sums;
CREATE VIEW invoice_sums AS
SELECT i.rowid AS doc, i.hub_id, i.invoice_id, i.collection,
  c.paid_before_cents + c.base_cents AS base_cents,
  c.taken_before_cents + c.base_cents AS to_take_cents,
  -- Approved payments less what was given back of them, in every collection.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.state = 'approved'), 0) AS kept_cents,
  -- Payments that were not voided or returned, less what of them is owed again, in every collection.
  coalesce((SELECT sum(a.amount_cents - a.owed_again_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.state IN ('approved', 'refunded')), 0) AS taken_cents,
  -- What is left of those of the present collection.
  coalesce((SELECT sum(a.amount_cents - a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state = 'approved'), 0) AS left_cents,
  coalesce((SELECT sum(a.refunded_cents) FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection), 0) AS given_back_cents,
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id
    AND a.collection = i.collection AND a.state = 'refunded') AS has_refunded,
  -- A bank debit that was accepted, also while a person looks for it.
  EXISTS (SELECT 1 FROM payment_attempts a WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id
    AND (a.state = 'pending' OR (a.state = 'needs_human' AND a.needs_human_from = 'pending'))) AS has_pending,
  -- How the booked payment of a whole collection ended, if it did.
  (SELECT a.state FROM payment_attempts a
    WHERE a.hub_id = i.hub_id AND a.invoice_id = i.invoice_id AND a.collection = i.collection
      AND a.state IN ('voided', 'refunded', 'returned')
      AND EXISTS (SELECT 1 FROM ledger l WHERE l.attempt_id = a.id AND l.kind = 'payment')
    ORDER BY a.settled_at DESC, a.id DESC LIMIT 1) AS ended_as
FROM invoices i
LEFT JOIN collections c ON c.hub_id = i.hub_id AND c.invoice_id = i.invoice_id AND c.n = i.collection;
CREATE VIEW invoice_labels AS
SELECT s.*, CASE
    WHEN s.base_cents IS NOT NULL THEN CASE
      WHEN s.kept_cents >= s.base_cents THEN 'paid'
      WHEN s.taken_cents < s.to_take_cents THEN 'none'
      WHEN s.left_cents > 0 THEN 'paid'
      WHEN s.has_refunded THEN 'refunded'
      ELSE 'none' END
    WHEN s.kept_cents > 0 THEN 'paid'
    WHEN s.has_pending THEN 'submitted'
    ELSE coalesce(s.ended_as, 'none') END AS label
FROM invoice_sums s;

DROP TRIGGER payments_change_balance;
CREATE TRIGGER payments_change_balance AFTER UPDATE OF state, refunded_cents ON payment_attempts
WHEN (OLD.state, OLD.refunded_cents) <> (NEW.state, NEW.refunded_cents)
  AND (OLD.state IN ('pending', 'approved', 'needs_human') OR NEW.state IN ('pending', 'approved', 'voided', 'refunded', 'returned')) BEGIN
  UPDATE payment_attempts
    SET owed_again_cents = min(NEW.refunded_cents, owed_again_cents + iif(
      EXISTS (SELECT 1 FROM invoices i WHERE i.hub_id = NEW.hub_id AND i.invoice_id = NEW.invoice_id
        AND i.overlay = 'none' AND i.part_base_cents IS NOT NULL),
      max(0, NEW.refunded_cents - OLD.refunded_cents), 0))
    WHERE id = NEW.id AND NEW.refunded_cents <> OLD.refunded_cents;
  UPDATE invoices SET overlay = b.label, given_back_cents = b.given_back_cents,
      part_paid_cents = iif(b.base_cents IS NULL, 0, b.kept_cents)
    FROM invoice_labels b
    WHERE b.hub_id = NEW.hub_id AND b.invoice_id = NEW.invoice_id AND invoices.rowid = b.doc
      AND (invoices.overlay, invoices.given_back_cents, invoices.part_paid_cents)
        IS NOT (b.label, b.given_back_cents, iif(b.base_cents IS NULL, 0, b.kept_cents));
END;
`,
  },
  {
    name: '0044_refunds_in_vain.sql',
    sql: `-- An approval whose refund came to nothing is due once more: the clinic's clock ends it, and tells the people who wait for it.
CREATE TRIGGER reversals_in_vain AFTER UPDATE OF state ON reversals
WHEN OLD.state NOT IN ('refused', 'not_done', 'approved') AND NEW.state IN ('refused', 'not_done') BEGIN
  UPDATE approvals SET next_try_at = coalesce(NEW.settled_at, NEW.created_at)
  WHERE attempt_id = NEW.attempt_id AND request_key = NEW.request_key AND state = 'approved';
END;
`,
  },
  {
    name: '0045_returned_after_refund.sql',
    sql: `-- A bank knows nothing of a refund: it may return a debit that was given back in full, and the money has gone twice.
DROP TRIGGER payment_attempts_moves;
CREATE TRIGGER payment_attempts_moves BEFORE UPDATE OF state ON payment_attempts
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent'
      AND NEW.state IN ('approved', 'declined', 'rejected', 'pending', 'unknown', 'cancelled', 'timed_out'))
  OR (OLD.state = 'unknown'
      AND NEW.state IN ('approved', 'declined', 'pending', 'not_charged', 'needs_human', 'cancelled', 'timed_out'))
  OR (OLD.state = 'pending' AND NEW.state IN ('approved', 'returned', 'needs_human'))
  OR (OLD.state IN ('not_charged', 'cancelled', 'timed_out') AND NEW.state = 'needs_human')
  -- A person looked at it and said, with a note, what it was; or the gateway shows the end of a debit after all.
  OR (OLD.state = 'needs_human' AND NEW.state IN ('approved', 'not_charged', 'voided'))
  OR (OLD.state = 'needs_human' AND NEW.state = 'returned' AND OLD.needs_human_from = 'pending')
  OR (OLD.state = 'approved' AND NEW.state IN ('voided', 'refunded', 'returned'))
  OR (OLD.state = 'refunded' AND NEW.state = 'approved' AND NEW.refunded_cents < NEW.amount_cents)
  OR (OLD.state = 'refunded' AND NEW.state = 'returned' AND OLD.method = 'ach')
)
BEGIN
  SELECT RAISE(ABORT, 'this payment cannot move to that state');
END;
-- Those of the last time are looked at again, as long as a bank may return them.
UPDATE payment_attempts SET next_check_at = settled_at + 86400000
  WHERE method = 'ach' AND state = 'refunded' AND settled_at IS NOT NULL AND next_check_at IS NULL
    AND provider_txn_id IS NOT NULL;
`,
  },
  {
    name: '0046_corrections.sql',
    sql: `-- 1: it corrects a refund that is booked, as one that was voided at the provider. It moves money, and is no refund of its own.
ALTER TABLE ledger ADD COLUMN corrects INTEGER NOT NULL DEFAULT 0 CHECK (corrects IN (0, 1));
DROP TRIGGER ledger_keeps_rows;
UPDATE ledger SET corrects = 1 WHERE kind = 'refund' AND EXISTS (SELECT 1 FROM reversals r JOIN ledger own
  ON own.hub_id = ledger.hub_id AND own.provider_txn_id = r.provider_txn_id AND own.kind = 'refund' AND own.attempt_id = ledger.attempt_id
  WHERE r.attempt_id = ledger.attempt_id AND ledger.provider_txn_id > r.provider_txn_id || '-'
    AND ledger.provider_txn_id < r.provider_txn_id || '.');
CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;

DROP VIEW counted_entries;
CREATE VIEW counted_entries AS
SELECT * FROM ledger AS l
WHERE l.kind <> 'void' AND NOT EXISTS (SELECT 1 FROM ledger gone WHERE gone.attempt_id = l.attempt_id AND gone.kind = 'void');

DROP TRIGGER ledger_adds_to_day;
CREATE TRIGGER ledger_adds_to_day AFTER INSERT ON ledger
WHEN NEW.kind <> 'void'
  AND NOT EXISTS (SELECT 1 FROM ledger gone WHERE gone.attempt_id = NEW.attempt_id AND gone.kind = 'void') BEGIN
  INSERT INTO daily_totals (hub_id, day) VALUES (NEW.hub_id, NEW.day) ON CONFLICT (hub_id, day) DO NOTHING;
  UPDATE daily_totals
  SET net_cents = net_cents + NEW.amount_cents,
    refund_cents = refund_cents - iif(NEW.kind = 'payment', 0, NEW.amount_cents),
    refunds = refunds + iif(NEW.kind = 'payment' OR NEW.corrects = 1, 0, 1),
    hours = iif(NEW.kind = 'payment' AND NEW.hour IS NOT NULL,
      json_set(hours, '$."' || NEW.hour || '"', ifnull(json_extract(hours, '$."' || NEW.hour || '"'), 0) + 1), hours)
  WHERE hub_id = NEW.hub_id AND day = NEW.day;
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', ifnull(json_extract(methods, '$."' || paid.method || '"'), 0) + 1)
  FROM payments_by_method AS paid
  WHERE paid.hub_id = NEW.hub_id AND paid.provider_txn_id = NEW.provider_txn_id AND paid.attempt_id = NEW.attempt_id
    AND daily_totals.hub_id = NEW.hub_id AND daily_totals.day = NEW.day;
END;
DROP TRIGGER void_leaves_the_days_of_its_payment;
CREATE TRIGGER void_leaves_the_days_of_its_payment AFTER INSERT ON ledger
WHEN NEW.kind = 'void'
  AND NOT EXISTS (SELECT 1 FROM ledger gone
    WHERE gone.attempt_id = NEW.attempt_id AND gone.kind = 'void' AND gone.provider_txn_id <> NEW.provider_txn_id) BEGIN
  UPDATE daily_totals
  SET methods = json_set(methods, '$."' || paid.method || '"', json_extract(methods, '$."' || paid.method || '"') - 1),
    hours = iif(paid.hour IS NULL, hours,
      json_set(hours, '$."' || paid.hour || '"', json_extract(hours, '$."' || paid.hour || '"') - 1))
  FROM payments_by_method AS paid
  WHERE paid.attempt_id = NEW.attempt_id AND daily_totals.hub_id = paid.hub_id AND daily_totals.day = paid.day;
  UPDATE daily_totals
  SET net_cents = net_cents - moved.cents, refund_cents = refund_cents - moved.back_cents, refunds = refunds - moved.backs
  FROM (SELECT hub_id, day, sum(amount_cents) AS cents, -sum(iif(kind = 'payment', 0, amount_cents)) AS back_cents,
      sum(kind <> 'payment' AND corrects = 0) AS backs
    FROM ledger WHERE attempt_id = NEW.attempt_id AND kind <> 'void' GROUP BY hub_id, day) AS moved
  WHERE daily_totals.hub_id = moved.hub_id AND daily_totals.day = moved.day;
END;

UPDATE daily_totals SET refunds = (SELECT coalesce(sum(corrects = 0), 0) FROM counted_entries AS back
  WHERE back.hub_id = daily_totals.hub_id AND back.day = daily_totals.day AND back.kind IN ('refund', 'return'))
  WHERE EXISTS (SELECT 1 FROM ledger l WHERE l.hub_id = daily_totals.hub_id AND l.day = daily_totals.day AND l.corrects = 1);
`,
  },
  {
    name: '0047_money_after_all.sql',
    sql: `-- A payment that was declined or returned may have its money after all: the gateway shows the charge as approved. Then a person
-- decides, and until they have nothing else is charged for the invoice.
DROP TRIGGER payment_attempts_moves;
CREATE TRIGGER payment_attempts_moves BEFORE UPDATE OF state ON payment_attempts
WHEN NOT (
  OLD.state = NEW.state
  OR (OLD.state = 'sent'
      AND NEW.state IN ('approved', 'declined', 'rejected', 'pending', 'unknown', 'cancelled', 'timed_out'))
  OR (OLD.state = 'unknown'
      AND NEW.state IN ('approved', 'declined', 'pending', 'not_charged', 'needs_human', 'cancelled', 'timed_out'))
  OR (OLD.state = 'pending' AND NEW.state IN ('approved', 'returned', 'needs_human'))
  OR (OLD.state IN ('not_charged', 'cancelled', 'timed_out', 'declined', 'rejected', 'returned') AND NEW.state = 'needs_human')
  -- A person looked at it and said, with a note, what it was; or the gateway shows the end of a debit after all.
  OR (OLD.state = 'needs_human' AND NEW.state IN ('approved', 'not_charged', 'voided'))
  OR (OLD.state = 'needs_human' AND NEW.state = 'returned' AND OLD.needs_human_from = 'pending')
  OR (OLD.state = 'approved' AND NEW.state IN ('voided', 'refunded', 'returned'))
  OR (OLD.state = 'refunded' AND NEW.state = 'approved' AND NEW.refunded_cents < NEW.amount_cents)
  OR (OLD.state = 'refunded' AND NEW.state = 'returned' AND OLD.method = 'ach')
)
BEGIN
  SELECT RAISE(ABORT, 'this payment cannot move to that state');
END;
`,
  },
];
