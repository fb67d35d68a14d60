-- How far an account's chain was recomputed from its beginning, and what was found.
CREATE TABLE audit_checks (
  hub_id INTEGER PRIMARY KEY,
  -- The last complete check: up to which event, with its seal's hash, when, and what did not agree (empty: all agreed).
  seq INTEGER NOT NULL DEFAULT 0,
  hash TEXT NOT NULL DEFAULT '',
  at INTEGER,
  problem TEXT NOT NULL DEFAULT '',
  -- The check under way: the last event that agreed, and its seal's hash.
  reached_seq INTEGER NOT NULL DEFAULT 0,
  reached_hash TEXT NOT NULL DEFAULT '',
  due_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX audit_checks_due ON audit_checks (due_at);

-- A row for each account, so that no step has to look for accounts without one.
CREATE TRIGGER audit_checks_begin AFTER INSERT ON hubs
BEGIN
  INSERT OR IGNORE INTO audit_checks (hub_id) VALUES (NEW.hub_id);
END;

-- Administrators who switched on the weekly mail with the newest seal.
CREATE TABLE audit_mails (
  hub_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_mails_next ON audit_mails (next_at);
