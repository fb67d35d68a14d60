-- What a person found out of a void or refund that no program could decide. One that was decided may come back, so that it
-- may have several.
CREATE TABLE reversal_resolutions (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  reversal_id TEXT NOT NULL REFERENCES reversals (id),
  verdict TEXT NOT NULL CHECK (verdict IN ('happened', 'not-happened')),
  note TEXT NOT NULL,
  resolved_by INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX reversal_resolutions_hub ON reversal_resolutions (hub_id, at);
-- Those that wait for a person: always few.
CREATE INDEX reversals_undecided ON reversals (hub_id, created_at) WHERE state = 'needs_human';
