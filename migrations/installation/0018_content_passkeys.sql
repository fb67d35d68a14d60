-- A second factor of content accounts: a passkey beside the password, and codes for the day on which it is lost.

-- When this session last showed a second factor; NULL: never.
ALTER TABLE content_sessions ADD COLUMN second_at INTEGER;

CREATE TABLE content_passkeys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES content_users (id) ON DELETE CASCADE,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX content_passkeys_user ON content_passkeys (user_id);

-- Each works once in place of a passkey.
CREATE TABLE content_recovery_codes (
  code_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES content_users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX content_recovery_codes_user ON content_recovery_codes (user_id);
