-- By what staff prove who they are: passkeys, PINs, mailed codes. And what a second person has to approve.

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
