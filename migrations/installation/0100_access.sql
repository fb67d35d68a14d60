-- Which clinics there are. Each one's records are in a database of its own, which this number names. The number is ours
-- and is never given again: it is part of pay links and receipts. What a clinic tells of itself is as of heard_at.
CREATE TABLE clinics (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
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
  older_keys TEXT NOT NULL DEFAULT '',
  -- When a clinic's last dump ended. The clinic says so itself.
  dumped_at INTEGER NOT NULL DEFAULT 0,
  -- The clinic whose records this one was made of, where that was lost: its pay links and receipts lead here.
  predecessor INTEGER
) STRICT;
-- Those that were not heard for the longest time.
CREATE INDEX clinics_silent ON clinics (heard_at) WHERE erased_at IS NULL;
-- Whose dump is the oldest; a new clinic has none yet.
CREATE INDEX clinics_dumped ON clinics (max(dumped_at, founded_at)) WHERE erased_at IS NULL AND account IS NOT NULL;
CREATE INDEX clinics_predecessor ON clinics (predecessor) WHERE predecessor IS NOT NULL;

-- Whose webhook it is: a merchant number or a terminal's name, as the card provider sends it. One key may be of several
-- clinics, which a test account shares.
CREATE TABLE clinic_keys (
  kind TEXT NOT NULL CHECK (kind IN ('merchant', 'terminal')),
  key TEXT NOT NULL,
  clinic INTEGER NOT NULL REFERENCES clinics (number),
  PRIMARY KEY (kind, key, clinic)
) STRICT, WITHOUT ROWID;
CREATE INDEX clinic_keys_clinic ON clinic_keys (clinic);

-- Which clinics know a person's address, by its keyed hash. Each clinic says so of its own staff, and takes it back.
CREATE TABLE staff_addresses (
  address_hash TEXT NOT NULL,
  clinic INTEGER NOT NULL REFERENCES clinics (number),
  PRIMARY KEY (address_hash, clinic)
) STRICT, WITHOUT ROWID;
CREATE INDEX staff_addresses_clinic ON staff_addresses (clinic);

-- Older keys of a ring with which nothing is sealed or signed any more, and since when. The row goes when the key is
-- used again, or has left its ring.
CREATE TABLE retired_keys (
  ring TEXT NOT NULL CHECK (ring IN ('TOKEN_KEYS', 'SESSION_KEYS')),
  key_id TEXT NOT NULL,
  unused_since INTEGER NOT NULL,
  PRIMARY KEY (ring, key_id)
) STRICT;

-- A login that was begun: good once, for ten minutes, in the browser that began it.
CREATE TABLE login_states (
  state_hash TEXT PRIMARY KEY,
  verifier TEXT NOT NULL,
  ends_at INTEGER NOT NULL,
  -- A login that began under another of our own names: the consent page returns to the one registered address, whose
  -- cookies that name does not see. Empty: it began where it ends.
  origin TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX login_states_end ON login_states (ends_at);

-- A code that was asked for, of a known address or not. It is good in the browser that asked, whose secret is part of
-- what is hashed.
CREATE TABLE login_codes (
  id TEXT PRIMARY KEY,
  address_hash TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  browser_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  taken_at INTEGER
) STRICT;
CREATE INDEX login_codes_address ON login_codes (address_hash, created_at);
CREATE INDEX login_codes_created ON login_codes (created_at);

-- What carries such a login to the browser that began it: good once, for a minute, and only beside that login's state.
CREATE TABLE handoff_codes (
  code_hash TEXT PRIMARY KEY,
  state_hash TEXT NOT NULL,
  account_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX handoff_codes_end ON handoff_codes (ends_at);

-- Declined payments by the hashed address of the payer, over all clinics: who tests cards goes from one clinic's links to
-- the next one's. They count for an hour.
CREATE TABLE declines (
  ip_key TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX declines_of_address ON declines (ip_key, at);
CREATE INDEX declines_end ON declines (at);

-- Whether online payments are paused; no row: they are open.
CREATE TABLE payment_switch (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  state TEXT NOT NULL CHECK (state IN ('open', 'paused')),
  at INTEGER NOT NULL,
  operator_id TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT ''
) STRICT;
