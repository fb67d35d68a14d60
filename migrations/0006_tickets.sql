-- A login that began under another of our own names: the consent page returns to the one registered address, whose cookies
-- that name does not see. Empty: it began where it ends.
ALTER TABLE login_states ADD COLUMN origin TEXT NOT NULL DEFAULT '';

-- What carries such a login to the browser that began it: good once, for a minute, and only beside that login's state.
CREATE TABLE tickets (
  ticket_hash TEXT PRIMARY KEY,
  state_hash TEXT NOT NULL,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tickets_end ON tickets (ends_at);
