-- Who logged in through the CRM, and what keeps them logged in.

CREATE TABLE users (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  last_login_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, user_id)
) STRICT;

-- One row is one browser that is logged in. The short-lived access token names the row; the companion cookie holds the
-- secret whose hash stands here and is the only thing that can renew that token.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  companion_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  revoked_at INTEGER,
  FOREIGN KEY (hub_id, user_id) REFERENCES users (hub_id, user_id)
) STRICT;
CREATE INDEX sessions_end ON sessions (ends_at);

-- A login that was begun: good once, for ten minutes, in the browser that began it.
CREATE TABLE login_states (
  state_hash TEXT PRIMARY KEY,
  verifier TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX login_states_end ON login_states (ends_at);
