-- Logins that are under way: which account a person belongs to is known only at their end.

-- A login that was begun: good once, for ten minutes, in the browser that began it.
CREATE TABLE login_states (
  state_hash TEXT PRIMARY KEY,
  verifier TEXT NOT NULL,
  ends_at INTEGER NOT NULL,
  -- A login that began under another of our own names: the consent page returns to the one registered address, whose
  -- cookies that name does not see. Empty: it began where it ends.
  origin TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX login_states_end ON login_states (ends_at);

-- What carries such a login to the browser that began it: good once, for a minute, and only beside that login's state.
CREATE TABLE tickets (
  ticket_hash TEXT PRIMARY KEY,
  state_hash TEXT NOT NULL,
  hub_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tickets_end ON tickets (ends_at);
