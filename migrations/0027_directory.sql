-- Which clinics there are. Each one's records are in a database of its own, which this number names. The number is ours and
-- is never given again: it stands in pay links and receipts.
CREATE TABLE clinics (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The CRM's number of the account; null once its records are erased, so that the same account may come again.
  account INTEGER UNIQUE,
  name TEXT NOT NULL DEFAULT '',
  founded_at INTEGER NOT NULL,
  erased_at INTEGER,
  -- Where its database was made; empty: wherever the first request came from.
  region TEXT NOT NULL DEFAULT '',
  -- What it told of itself, and when it did so last.
  heard_at INTEGER NOT NULL DEFAULT 0,
  -- How many of its migrations are applied.
  schema INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  -- Since when its schedule fails, and since when it does not come to its end.
  failing_since INTEGER,
  stuck_since INTEGER,
  -- Payments that wait for a person.
  needs_human INTEGER NOT NULL DEFAULT 0,
  last_payment_at INTEGER
) STRICT;
CREATE INDEX clinics_silent ON clinics (heard_at) WHERE erased_at IS NULL;

-- Whose webhook it is: a merchant number or a terminal's name, as the card provider sends it. One key may be of several
-- clinics, which a test account shares.
CREATE TABLE clinic_keys (
  kind TEXT NOT NULL CHECK (kind IN ('merchant', 'terminal')),
  key TEXT NOT NULL,
  clinic INTEGER NOT NULL REFERENCES clinics (number),
  PRIMARY KEY (kind, key, clinic)
) STRICT, WITHOUT ROWID;
CREATE INDEX clinic_keys_clinic ON clinic_keys (clinic);
