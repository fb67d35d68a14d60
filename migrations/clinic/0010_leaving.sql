-- What an account takes along, and how it ends.

-- A download of all records that is being made, or that waits to be fetched: one for the clinic, one for the operator.
CREATE TABLE archives (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  kind TEXT NOT NULL CHECK (kind IN ('clinic', 'operator')),
  -- Names its folder in the bucket.
  id TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  -- When its next parts are written; NULL: all of them are.
  due_at INTEGER,
  -- How often it was begun: acts meanwhile begin it anew.
  tries INTEGER NOT NULL DEFAULT 0,
  -- How far it is, as JSON; empty: not begun.
  progress TEXT NOT NULL DEFAULT '',
  ready_at INTEGER,
  -- It goes with its files then.
  ends_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, kind)
) STRICT;

-- An account that an administrator wants closed; none after it was taken back.
CREATE TABLE closings (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
  asked_by INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  -- When the schedule tries to erase it: on the day, and each day after that on which something still stood.
  try_at INTEGER NOT NULL,
  -- What stood at the last try, as JSON: sentences.
  stood TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX closings_due ON closings (try_at);

-- When the account closes. While it is set nothing new is charged.
ALTER TABLE hubs ADD COLUMN closes_at INTEGER;
