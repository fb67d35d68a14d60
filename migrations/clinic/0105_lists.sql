-- How many rows a list has, in all (`*`) and of each status.
CREATE TABLE list_counts (
  account_id INTEGER NOT NULL,
  list TEXT NOT NULL CHECK (list IN ('invoices', 'open-invoices', 'customers')),
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (account_id, list, status)
) STRICT, WITHOUT ROWID;

-- What a account is still owed, kept as its invoices change: a row for each day on which something falls due, however many
-- invoices there are. Only in the currency that is paid here, since a sum of several is none.
CREATE TABLE owed_totals (
  account_id INTEGER NOT NULL,
  -- Empty for what has no due date.
  due_day TEXT NOT NULL,
  n INTEGER NOT NULL,
  cents INTEGER NOT NULL,
  PRIMARY KEY (account_id, due_day)
) STRICT, WITHOUT ROWID;

-- How many customers owe something of which the first is or was due on a day (empty: none has one), so that a new day
-- makes them overdue without a look at each.
CREATE TABLE owing_customers (
  account_id INTEGER NOT NULL,
  first_due TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (account_id, first_due)
) STRICT, WITHOUT ROWID;

-- Words to search by. Each carries its account in front (`h42_marta`), so that a search walks no other account's postings. An
-- underscore is never part of a word of its own: nobody can name a contact into another account's words. The index keeps no
-- text. Every mark is part of a word for it, since words are cut at spaces here.
CREATE VIRTUAL TABLE invoice_search USING fts5(
  words, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* M* N* P* S* Co'"
);

CREATE VIRTUAL TABLE customer_search USING fts5(
  words, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* M* N* P* S* Co'"
);
