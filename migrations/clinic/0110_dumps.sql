-- These tables hold the progress of the nightly dump, of a restore, and of walks over the bucket.

-- State of the nightly dump of this database into the backup bucket.
CREATE TABLE dumps (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Time of the next piece, or of the next dump.
  due_at INTEGER NOT NULL,
  -- Folder of the dump in progress; empty: none.
  folder TEXT NOT NULL DEFAULT '',
  began_at INTEGER NOT NULL DEFAULT 0,
  -- Number of the newest audit event at the start: if it stays the same, nothing was done in the meantime.
  mark INTEGER NOT NULL DEFAULT 0,
  -- Number of starts of tonight's dump.
  tries INTEGER NOT NULL DEFAULT 0,
  -- End of the last dump, or creation of this row.
  ended_at INTEGER NOT NULL,
  -- Last month (YYYY-MM) with a monthly dump, which stays for 13 months.
  month TEXT NOT NULL DEFAULT '',
  -- Progress of file copies, as JSON: for each table whose rows contain file keys, the last row id (or saved_at)
  -- copied.
  files TEXT NOT NULL DEFAULT '{}'
) STRICT;

-- Progress of each table in the current dump.
CREATE TABLE dump_tables (
  name TEXT PRIMARY KEY,
  -- Rows above this row id came after the start of the dump; NULL: the table has no row ids.
  cut INTEGER,
  -- Key of the last written row, as JSON.
  after TEXT NOT NULL DEFAULT 'null',
  is_whole INTEGER NOT NULL DEFAULT 0 CHECK (is_whole IN (0, 1)),
  -- Key, row count and SHA-256 of each written piece, as JSON.
  pieces TEXT NOT NULL DEFAULT '[]'
) STRICT, WITHOUT ROWID;

-- Triggers set aside until the end of a restore: restored rows must not count, book or report anything a second time.
-- While this table has a row, the clinic's scheduled work is suspended.
CREATE TABLE waiting_triggers (
  name TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Progress of the walk over a prefix of the bucket: it continues after this key, not before next_at.
CREATE TABLE bucket_cursors (
  prefix TEXT PRIMARY KEY,
  after_key TEXT NOT NULL,
  next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
