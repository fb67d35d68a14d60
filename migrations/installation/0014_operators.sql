-- People who run the installation. They sign in with passkeys; no password and no login of a clinic opens this.
CREATE TABLE operators (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- Who invited them; empty: the set-up code made them.
  invited_by TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE operator_passkeys (
  -- The authenticator's own name of the key, base64url.
  id TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  -- COSE, base64url.
  public_key TEXT NOT NULL,
  -- How often the authenticator has signed; 0 where it does not count.
  counter INTEGER NOT NULL,
  -- JSON list: how a browser reaches it.
  transports TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX operator_passkeys_of ON operator_passkeys (operator_id);

CREATE TABLE operator_sessions (
  id TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  -- When the passkey was last shown in this session.
  proven_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX operator_sessions_end ON operator_sessions (ends_at);
CREATE INDEX operator_sessions_of ON operator_sessions (operator_id);

-- Codes that make an operator, once. The set-up code of the settings gets its row when it is used.
CREATE TABLE operator_codes (
  code_hash TEXT PRIMARY KEY,
  invited_by TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  -- Null: the set-up code, whose row stays so that it works once.
  ends_at INTEGER,
  -- Whom it made.
  operator_id TEXT
) STRICT;
CREATE INDEX operator_codes_end ON operator_codes (ends_at);

-- Challenges that were answered: none is taken twice.
CREATE TABLE operator_challenges (
  challenge TEXT PRIMARY KEY,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX operator_challenges_end ON operator_challenges (ends_at);

-- Whether online payments are paused; no row: they are open.
CREATE TABLE payment_switch (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  state TEXT NOT NULL CHECK (state IN ('open', 'paused')),
  at INTEGER NOT NULL,
  operator_id TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT ''
) STRICT;
