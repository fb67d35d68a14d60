-- Of a merchant's lists: counts that are kept, and words to search by.

-- How many rows a list has, in all (`*`) and of each status.
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

-- Words to search by. Each carries its hub in front (`h42_marta`), so that a search walks no other hub's postings. An
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
        text, '_', ' '), '-', ' '), '.', ' '), ',', ' '), ':', ' '), ';', ' '), '/', ' '), '\', ' '), '@', ' '),
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
