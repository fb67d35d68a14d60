-- What has outlived its period is found by an index of its own, which holds only what is still to go: the schedule looks
-- every minute, and mostly finds nothing. The periods are in worker/data/retention/periods.ts.

CREATE INDEX outbox_done ON outbox (created_at) WHERE state <> 'due';
CREATE INDEX outbox_done_with_details ON outbox (sent_at) WHERE state <> 'due' AND details <> '{}';
CREATE INDEX content_users_waiting ON content_users (created_at) WHERE status <> 'active';
CREATE INDEX content_invitations_end ON content_invitations (ends_at);
CREATE INDEX content_resets_end ON content_resets (ends_at);
CREATE INDEX article_drafts_saved ON article_drafts (saved_at);

-- How far the walk over a prefix of the bucket is: it goes on behind this file, not before next_at.
CREATE TABLE bucket_cursors (
  prefix TEXT PRIMARY KEY,
  after_key TEXT NOT NULL,
  next_at INTEGER NOT NULL
) STRICT;

-- Older keys of a ring with which nothing is sealed or signed any more, and since when. The row goes when the key is
-- used again, or has left its ring.
CREATE TABLE retired_keys (
  ring TEXT NOT NULL CHECK (ring IN ('TOKEN_KEYS', 'SESSION_KEYS')),
  key_id TEXT NOT NULL,
  unused_since INTEGER NOT NULL,
  PRIMARY KEY (ring, key_id)
) STRICT;
