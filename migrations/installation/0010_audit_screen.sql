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

INSERT INTO audit_checks (hub_id) VALUES (0);
