-- Troubles that ask for a person, of all clinics together: one row for each kind of trouble and what it is about, however often
-- it is met and however many clinics it touches. A row that is met again after it was closed begins anew.
CREATE TABLE alerts (
  -- The event and its subject.
  key TEXT PRIMARY KEY,
  event TEXT NOT NULL,
  subject TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('now', 'daily')),
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  n INTEGER NOT NULL,
  -- How many accounts it touches; the triggers below count them.
  accounts INTEGER NOT NULL DEFAULT 0,
  -- When somebody was told last, and what n and accounts were then.
  told_at INTEGER,
  told_n INTEGER NOT NULL DEFAULT 0,
  told_accounts INTEGER NOT NULL DEFAULT 0,
  acked_at INTEGER,
  acked_by TEXT NOT NULL DEFAULT '',
  closed_at INTEGER,
  closed_as TEXT NOT NULL DEFAULT '' CHECK (closed_as IN ('', 'over', 'silent')),
  -- What the event said of itself when it was met last: JSON without secrets and without a payer's data.
  fields TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX alerts_open ON alerts (first_at) WHERE closed_at IS NULL;
CREATE INDEX alerts_told ON alerts (told_at) WHERE told_at IS NOT NULL;
CREATE INDEX alerts_closed ON alerts (closed_at) WHERE closed_at IS NOT NULL;

-- An account that an open alert touches, since when; 0 is the installation itself.
CREATE TABLE alert_accounts (
  key TEXT NOT NULL REFERENCES alerts (key),
  account INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  PRIMARY KEY (key, account)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER alert_accounts_come AFTER INSERT ON alert_accounts WHEN NEW.account <> 0
BEGIN
  UPDATE alerts SET accounts = accounts + 1 WHERE key = NEW.key;
END;
-- One that leaves may make room for another, which has to be told.
CREATE TRIGGER alert_accounts_go AFTER DELETE ON alert_accounts WHEN OLD.account <> 0
BEGIN
  UPDATE alerts SET accounts = accounts - 1, told_accounts = max(told_accounts - 1, 0) WHERE key = OLD.key;
END;

-- The last run of each job of the schedule.
CREATE TABLE heartbeats (
  job TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  finished_at INTEGER NOT NULL,
  ok INTEGER NOT NULL CHECK (ok IN (0, 1)),
  -- Of the last run.
  ms INTEGER NOT NULL,
  -- When a run last ended well; of a job that never did, when it was first tried.
  ok_at INTEGER NOT NULL
) STRICT;
