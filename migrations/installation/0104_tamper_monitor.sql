-- These tables hold versions of the scripts of others on the pay page, checks of the page, and their findings.

-- Versions of the browser scripts of the card provider and of Google, identified by hash, with the person who approved
-- them. Neither versions its script, so changes are normal and a person must review each.
CREATE TABLE script_versions (
  sha256 TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL,
  type TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  approved_at INTEGER,
  approved_by TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  CHECK (approved_at IS NULL OR (approved_by <> '' AND reason <> ''))
) STRICT;

-- Checks of the pay page: from inside by the schedule, or from outside by a browser.
CREATE TABLE monitor_runs (
  id TEXT PRIMARY KEY,
  source TEXT NOT NULL CHECK (source IN ('inside', 'outside')),
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  findings INTEGER NOT NULL DEFAULT 0,
  evidence_key TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX monitor_runs_newest ON monitor_runs (source, started_at);

-- Differences from the inventory or from the approved versions. A finding stays open until a later check no longer
-- finds it, or until a person approves the version to which it refers.
CREATE TABLE monitor_findings (
  id TEXT PRIMARY KEY,
  source TEXT NOT NULL CHECK (source IN ('inside', 'outside')),
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  expected TEXT NOT NULL,
  seen TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  times_seen INTEGER NOT NULL DEFAULT 1,
  last_run_id TEXT NOT NULL,
  closed_at INTEGER,
  closed_as TEXT NOT NULL DEFAULT '' CHECK (closed_as IN ('', 'gone', 'approved'))
) STRICT;
-- One row while the finding is open, no matter how often it occurs.
CREATE UNIQUE INDEX monitor_findings_open ON monitor_findings (source, kind, subject, seen) WHERE closed_at IS NULL;
CREATE INDEX monitor_findings_closed ON monitor_findings (closed_at) WHERE closed_at IS NOT NULL;
