-- These tables hold the totals and search words of the lists; triggers maintain them.

-- Number of rows in each list: in total (`*`) and by status.
CREATE TABLE list_counts (
  account_id INTEGER NOT NULL,
  list TEXT NOT NULL CHECK (list IN ('invoices', 'open-invoices', 'customers')),
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (account_id, list, status)
) STRICT, WITHOUT ROWID;

-- Open balance of an account, updated as its invoices change: one row per due day, regardless of the number of
-- invoices. `n` counts invoices in any currency, as their list does; `cents` only those in the currency of payments
-- here (US dollars), since amounts in several currencies cannot be added.
CREATE TABLE owed_totals (
  account_id INTEGER NOT NULL,
  -- Empty: no due date.
  due_day TEXT NOT NULL,
  n INTEGER NOT NULL,
  cents INTEGER NOT NULL,
  PRIMARY KEY (account_id, due_day)
) STRICT, WITHOUT ROWID;

-- Number of customers with an open balance, by its earliest due day, past or future (empty: no due date). A new day
-- makes them overdue without a check of each customer.
CREATE TABLE owing_customers (
  account_id INTEGER NOT NULL,
  first_due TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (account_id, first_due)
) STRICT, WITHOUT ROWID;

-- Search words. Each begins with its account (`h42_marta`), so that a search reads no index entries of other accounts.
-- A word itself never contains an underscore, so no contact name can get into another account's words. The index stores
-- no text. It treats every character except spaces as part of a word, since the words are already split here.
CREATE VIRTUAL TABLE invoice_search USING fts5(
  words, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* M* N* P* S* Co'"
);

CREATE VIRTUAL TABLE customer_search USING fts5(
  words, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* M* N* P* S* Co'"
);
