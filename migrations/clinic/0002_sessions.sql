-- Who logged in through the CRM, and what keeps them logged in.

CREATE TABLE users (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  -- Whoever connected the account first: the CRM lets only its administrators do that.
  is_admin INTEGER NOT NULL DEFAULT 0,
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

-- The account at the card provider that a hub applied for. The row is the claim: one application per hub, however often
-- the form is sent.
CREATE TABLE merchants (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
  name TEXT NOT NULL,
  merchant_number TEXT UNIQUE,
  signup_url TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT 'applying'
    CHECK (status IN ('applying', 'applied', 'pended', 'in-review', 'approved', 'declined', 'boarded')),
  claimed_at INTEGER NOT NULL,
  -- The line under every invoice that this merchant prints; empty means the product's own.
  footer_text TEXT NOT NULL DEFAULT ''
) STRICT;

-- What the provider told about an application. The same message twice is one row.
CREATE TABLE merchant_logs (
  hub_id INTEGER NOT NULL REFERENCES merchants (hub_id),
  message_hash TEXT NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, message_hash)
) STRICT;
