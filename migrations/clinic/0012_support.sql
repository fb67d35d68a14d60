-- From then on (UTC ms) the link opens nothing; until then its revocation can be taken back.
ALTER TABLE pay_links ADD COLUMN revoke_at INTEGER;
CREATE INDEX pay_links_to_revoke ON pay_links (revoke_at) WHERE state = 'live' AND revoke_at IS NOT NULL;

-- A time in which the operator may look at the clinic as it is, because an administrator said so. Who looks is number 0
-- among the people, who may only read.
CREATE TABLE support_views (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  granted_by INTEGER NOT NULL,
  granted_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  -- Ended before its time.
  ended_at INTEGER
) STRICT;
CREATE INDEX support_views_of_hub ON support_views (hub_id, ends_at);
CREATE INDEX support_views_end ON support_views (ends_at);
