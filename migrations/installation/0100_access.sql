-- These tables hold the directory of clinics, logins in progress, and limits and switches for all clinics.

-- All clinics. Each clinic's records are in its own database, identified by this number. We assign the number and never
-- reuse it: pay links and receipts contain it. The data from the clinic's own report are as of heard_at.
CREATE TABLE clinics (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The CRM's number of the account; NULL once its records are erased, so that the same account may return.
  account INTEGER UNIQUE,
  name TEXT NOT NULL DEFAULT '',
  -- Number of the newest migration applied to its database.
  schema INTEGER NOT NULL DEFAULT 0,
  founded_at INTEGER NOT NULL,
  heard_at INTEGER NOT NULL DEFAULT 0,
  erased_at INTEGER,
  bytes INTEGER NOT NULL DEFAULT 0,
  -- Start of the CRM's current outage for this clinic.
  failing_since INTEGER,
  -- Payments that need review by staff; time of the last payment; and creation time of the oldest payment in state
  -- 'unknown'.
  needs_human INTEGER NOT NULL DEFAULT 0,
  last_payment_at INTEGER,
  stuck_since INTEGER,
  -- 1: it accepts Apple Pay, but the host of the pay pages is not registered yet.
  apple_pay_pending INTEGER NOT NULL DEFAULT 0,
  -- 1: it accepts Google Pay, so its pay pages load Google's script.
  takes_google_pay INTEGER NOT NULL DEFAULT 0,
  -- Region of its database; empty: the region of the first request.
  region TEXT NOT NULL DEFAULT '',
  -- Newest seal of its audit trail.
  head_seq INTEGER NOT NULL DEFAULT 0,
  head_hash TEXT NOT NULL DEFAULT '',
  -- Ids of older keys that still seal something there, separated by spaces.
  older_keys TEXT NOT NULL DEFAULT '',
  -- End of the clinic's last dump, as the clinic reports it.
  dumped_at INTEGER NOT NULL DEFAULT 0,
  -- Lost clinic from whose records this one was restored: the pay links and receipts of the lost clinic lead here.
  predecessor INTEGER
) STRICT;
-- Clinics whose last report is the oldest.
CREATE INDEX clinics_silent ON clinics (heard_at) WHERE erased_at IS NULL;
-- Clinics with the oldest dump; a new clinic has none yet.
CREATE INDEX clinics_dumped ON clinics (max(dumped_at, founded_at)) WHERE erased_at IS NULL AND account IS NOT NULL;
-- Clinics that accept Google Pay.
CREATE INDEX clinics_google_pay ON clinics (takes_google_pay) WHERE takes_google_pay = 1;
CREATE INDEX clinics_predecessor ON clinics (predecessor) WHERE predecessor IS NOT NULL;

-- Identifiers that map a webhook to its clinic: a merchant number or a terminal name, as the card provider sends it.
-- One key may belong to several clinics that share a test account.
CREATE TABLE clinic_keys (
  kind TEXT NOT NULL CHECK (kind IN ('merchant', 'terminal')),
  key TEXT NOT NULL,
  clinic INTEGER NOT NULL REFERENCES clinics (number),
  PRIMARY KEY (kind, key, clinic)
) STRICT;
CREATE INDEX clinic_keys_clinic ON clinic_keys (clinic);

-- Clinics that have a person's email address, by its keyed hash. Each clinic adds and removes its own staff.
CREATE TABLE staff_addresses (
  address_hash TEXT NOT NULL,
  clinic INTEGER NOT NULL REFERENCES clinics (number),
  PRIMARY KEY (address_hash, clinic)
) STRICT, WITHOUT ROWID;
CREATE INDEX staff_addresses_clinic ON staff_addresses (clinic);

-- Older keys of a ring that no sealed or signed value has needed since unused_since. The row is deleted when the key is
-- used again, or has left its ring.
CREATE TABLE retired_keys (
  ring TEXT NOT NULL CHECK (ring IN ('TOKEN_KEYS', 'SESSION_KEYS')),
  key_id TEXT NOT NULL,
  unused_since INTEGER NOT NULL,
  PRIMARY KEY (ring, key_id)
) STRICT;

-- CRM logins in progress: valid once, for ten minutes, in the browser where they began.
CREATE TABLE login_states (
  state_hash TEXT PRIMARY KEY,
  verifier TEXT NOT NULL,
  ends_at INTEGER NOT NULL,
  -- Set for a login that began at another of our own hosts: the consent page returns to the one registered address,
  -- whose cookies that host does not see. Empty: the login ends where it began.
  origin TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX login_states_end ON login_states (ends_at);

-- Requested login codes, for a known or an unknown address. A code is valid in the browser that requested it: the
-- browser's secret is part of the hash.
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

-- Codes that return a CRM login from the registered address to the browser where it began: valid once, for a minute,
-- and only together with that login's state.
CREATE TABLE handoff_codes (
  code_hash TEXT PRIMARY KEY,
  state_hash TEXT NOT NULL,
  account_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX handoff_codes_end ON handoff_codes (ends_at);

-- Declined payments by the payer's hashed network address, across all clinics: a card tester moves from one clinic's
-- links to the next. They count for an hour.
CREATE TABLE declines (
  ip_key TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX declines_of_address ON declines (ip_key, at);
CREATE INDEX declines_end ON declines (at);

-- Switch that pauses online payments; no row: they are open.
CREATE TABLE payment_switch (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  state TEXT NOT NULL CHECK (state IN ('open', 'paused')),
  at INTEGER NOT NULL,
  operator_id TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT ''
) STRICT;
