-- How far the walk over a prefix of the bucket is: it goes on behind this file, not before next_at.
CREATE TABLE bucket_cursors (
  prefix TEXT PRIMARY KEY,
  after_key TEXT NOT NULL,
  next_at INTEGER NOT NULL
) STRICT;

-- The nightly dump of this database into the bucket of backups.
CREATE TABLE dumps (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- When the next piece is written, or the next dump begins.
  due_at INTEGER NOT NULL,
  -- Where the dump under way lies; empty: none is.
  folder TEXT NOT NULL DEFAULT '',
  began_at INTEGER NOT NULL DEFAULT 0,
  -- The newest event as it began: while it stays, nothing was done.
  mark INTEGER NOT NULL DEFAULT 0,
  -- How often this night's dump was begun.
  tries INTEGER NOT NULL DEFAULT 0,
  -- When the last one ended, or when this row was made.
  ended_at INTEGER NOT NULL,
  -- The month (YYYY-MM) whose dump stays for a year.
  month TEXT NOT NULL DEFAULT '',
  -- How far each table is whose rows name files: up to these row ids they are copied. JSON.
  files TEXT NOT NULL DEFAULT '{}'
) STRICT;

-- How far each table of the dump under way is.
CREATE TABLE dump_tables (
  name TEXT PRIMARY KEY,
  -- Rows behind this one came after the dump began; null: the table has no row ids.
  cut INTEGER,
  -- The key of the last row that was written, as JSON.
  after TEXT NOT NULL DEFAULT 'null',
  is_whole INTEGER NOT NULL DEFAULT 0 CHECK (is_whole IN (0, 1)),
  -- Key, rows and SHA-256 of each piece that was written, as JSON.
  pieces TEXT NOT NULL DEFAULT '[]'
) STRICT;

-- Triggers that wait for the end of a restore. While one is here the schedule stands still.
CREATE TABLE waiting_triggers (
  name TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
