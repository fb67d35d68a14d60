-- These tables hold alerts, the last runs of scheduled jobs, and the operators with their logins.

-- Problems that need a person, across all clinics: one row per kind of problem and subject, regardless of how often it
-- occurs and how many clinics it affects. A closed alert that occurs again starts over.
CREATE TABLE alerts (
  -- The event and its subject.
  key TEXT PRIMARY KEY,
  event TEXT NOT NULL,
  subject TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('now', 'daily')),
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  n INTEGER NOT NULL,
  -- Number of affected accounts; the triggers below count them.
  accounts INTEGER NOT NULL DEFAULT 0,
  -- Last notification, with the values of n and accounts at that time.
  told_at INTEGER,
  told_n INTEGER NOT NULL DEFAULT 0,
  told_accounts INTEGER NOT NULL DEFAULT 0,
  acked_at INTEGER,
  acked_by TEXT NOT NULL DEFAULT '',
  closed_at INTEGER,
  closed_as TEXT NOT NULL DEFAULT '' CHECK (closed_as IN ('', 'over', 'silent')),
  -- Fields of the latest event: JSON without secrets and without a payer's data.
  fields TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX alerts_open ON alerts (first_at) WHERE closed_at IS NULL;
CREATE INDEX alerts_told ON alerts (told_at) WHERE told_at IS NOT NULL;
CREATE INDEX alerts_closed ON alerts (closed_at) WHERE closed_at IS NOT NULL;

-- Accounts that an open alert has affected since first_at; 0 is the installation itself.
CREATE TABLE alert_accounts (
  key TEXT NOT NULL REFERENCES alerts (key),
  account INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  PRIMARY KEY (key, account)
) STRICT, WITHOUT ROWID;

-- The last run of each job of the schedule.
CREATE TABLE heartbeats (
  job TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  finished_at INTEGER NOT NULL,
  ok INTEGER NOT NULL CHECK (ok IN (0, 1)),
  -- Duration of the last run.
  ms INTEGER NOT NULL,
  -- End of the last successful run; for a job that never succeeded, its first try.
  ok_at INTEGER NOT NULL
) STRICT;

-- People who run the installation. They sign in with passkeys; neither a password nor a clinic login gives access.
CREATE TABLE operators (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- Operator who invited them; empty: the set-up code created them.
  invited_by TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE operator_passkeys (
  -- The authenticator's own id of the key, base64url.
  id TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  -- COSE, base64url.
  public_key TEXT NOT NULL,
  -- Number of signatures by the authenticator; 0 if it does not count.
  counter INTEGER NOT NULL,
  -- JSON list of the transports by which a browser reaches it.
  transports TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX operator_passkeys_of ON operator_passkeys (operator_id);

CREATE TABLE operator_sessions (
  id TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  -- Last time the passkey was used in this session.
  proven_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX operator_sessions_end ON operator_sessions (ends_at);
CREATE INDEX operator_sessions_of ON operator_sessions (operator_id);

-- Codes that create one operator each, once. The set-up code from the settings gets its row when it is used.
CREATE TABLE operator_codes (
  code_hash TEXT PRIMARY KEY,
  invited_by TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  -- NULL: the set-up code, whose row stays so that it works once.
  ends_at INTEGER,
  -- The operator created with the code.
  operator_id TEXT
) STRICT;
CREATE INDEX operator_codes_end ON operator_codes (ends_at);

-- Answered challenges, so that each is accepted only once.
CREATE TABLE operator_challenges (
  challenge TEXT PRIMARY KEY,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX operator_challenges_end ON operator_challenges (ends_at);

CREATE TRIGGER alert_accounts_come AFTER INSERT ON alert_accounts WHEN NEW.account <> 0
BEGIN
  UPDATE alerts SET accounts = accounts + 1 WHERE key = NEW.key;
END;

-- Also decreases told_accounts, so that another account that is affected later is reported.
CREATE TRIGGER alert_accounts_go AFTER DELETE ON alert_accounts WHEN OLD.account <> 0
BEGIN
  UPDATE alerts SET accounts = accounts - 1, told_accounts = max(told_accounts - 1, 0) WHERE key = OLD.key;
END;
