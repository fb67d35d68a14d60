-- Stands in for the directory and the alerts, which the installation's own migrations bring; goes away with them.
-- Which clinics there are. Each one's records are in a database of its own, which this number names. The number is ours
-- and is never given again: it is part of pay links and receipts. What a clinic tells of itself is as of heard_at.
CREATE TABLE clinics (
  number INTEGER PRIMARY KEY,
  -- The CRM's number of the account; null once its records are erased, so that the same account may come again.
  account INTEGER UNIQUE,
  name TEXT NOT NULL DEFAULT '',
  -- How many of its migrations are applied.
  schema INTEGER NOT NULL DEFAULT 0,
  founded_at INTEGER NOT NULL,
  heard_at INTEGER NOT NULL DEFAULT 0,
  erased_at INTEGER,
  bytes INTEGER NOT NULL DEFAULT 0,
  -- Since when the CRM gives it no answer.
  failing_since INTEGER,
  -- Payments that wait for a person, when the last one was taken, and since when the oldest undecided one is.
  needs_human INTEGER NOT NULL DEFAULT 0,
  last_payment_at INTEGER,
  stuck_since INTEGER,
  -- Where its database was made; empty: wherever the first request came from.
  region TEXT NOT NULL DEFAULT '',
  -- The newest seal of its audit trail.
  head_seq INTEGER NOT NULL DEFAULT 0,
  head_hash TEXT NOT NULL DEFAULT '',
  -- Ids of older keys that still seal something there, with spaces between them.
  older_keys TEXT NOT NULL DEFAULT ''
) STRICT;
-- Those that were not heard for the longest time.
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

CREATE TABLE alerts (
  key TEXT PRIMARY KEY,
  event TEXT NOT NULL,
  subject TEXT NOT NULL DEFAULT '',
  severity TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  n INTEGER NOT NULL DEFAULT 1,
  told_at INTEGER,
  acked_at INTEGER,
  acked_by TEXT,
  closed_at INTEGER,
  fields TEXT NOT NULL DEFAULT '{}'
) STRICT;
