-- These tables hold the clinic's audit trail: events, their seals, refused requests, and checks of the hash chain.

-- Audit events: actor, action and subject, written in the transaction of the action. `before` and `after` are short
-- JSON objects of listed fields; empty: there was nothing.
CREATE TABLE audit_events (
  account_id INTEGER NOT NULL,
  -- 1 + the account's highest number, computed inside the INSERT: without gaps, so that a missing row is detectable.
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  ip_hash TEXT NOT NULL,
  action TEXT NOT NULL,
  subject_kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  request_id TEXT NOT NULL,
  PRIMARY KEY (account_id, seq)
) STRICT, WITHOUT ROWID;

-- A seal is a link of the account's hash chain; it covers the events from from_seq to to_seq.
CREATE TABLE audit_seals (
  account_id INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL CHECK (to_seq >= from_seq),
  rows_hash TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (account_id, from_seq)
) STRICT, WITHOUT ROWID;

-- Refused requests from one session, or from strangers of one kind, within one hour; they become one event when the
-- hour ends.
CREATE TABLE audit_refusals (
  account_id INTEGER NOT NULL,
  -- Empty: strangers.
  session_id TEXT NOT NULL,
  action TEXT NOT NULL,
  -- Start of the hour.
  hour INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  ip_hash TEXT NOT NULL,
  -- Route of the last request, as a pattern.
  route TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (hour, account_id, session_id, action)
) STRICT, WITHOUT ROWID;

-- Progress of recomputing an account's hash chain from its start, with the result.
CREATE TABLE audit_checks (
  account_id INTEGER PRIMARY KEY,
  -- The last complete check: last event, hash of its seal, time, and mismatches (empty: none).
  seq INTEGER NOT NULL DEFAULT 0,
  hash TEXT NOT NULL DEFAULT '',
  at INTEGER,
  problem TEXT NOT NULL DEFAULT '',
  -- The check in progress: the last event that agreed, and the hash of its seal.
  reached_seq INTEGER NOT NULL DEFAULT 0,
  reached_hash TEXT NOT NULL DEFAULT '',
  due_at INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Administrators who enabled the weekly email with the newest seal.
CREATE TABLE audit_mails (
  account_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, user_id)
) STRICT;

CREATE TRIGGER audit_events_keep_rows BEFORE UPDATE ON audit_events
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is only added to');
END;

-- Deletion only after seven years (2557 days), and only of events under an existing seal; never of the newest event,
-- because the next number follows its number.
CREATE TRIGGER audit_events_keep_all BEFORE DELETE ON audit_events
WHEN OLD.at > (unixepoch() - 2557 * 86400) * 1000
  OR OLD.seq = (SELECT max(seq) FROM audit_events WHERE account_id = OLD.account_id)
  OR NOT EXISTS (SELECT 1 FROM audit_seals WHERE account_id = OLD.account_id AND from_seq <= OLD.seq AND to_seq >= OLD.seq)
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is only added to');
END;

CREATE TRIGGER audit_seals_keep_rows BEFORE UPDATE ON audit_seals
BEGIN
  SELECT RAISE(ABORT, 'the seals are only added to');
END;

CREATE TRIGGER audit_seals_keep_all BEFORE DELETE ON audit_seals
BEGIN
  SELECT RAISE(ABORT, 'the seals are only added to');
END;
