-- Times are UTC milliseconds, money is integer minor units. STRICT refuses 12.5 in an integer column.

-- The account, who logged in to it through the CRM, and what keeps them logged in.

CREATE TABLE hubs (
  hub_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  domain TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  phone TEXT NOT NULL DEFAULT '',
  email TEXT NOT NULL DEFAULT '',
  connected_at INTEGER NOT NULL,
  -- When this clinic's records were put back to an older state: it takes payments again once its transactions up to then
  -- were read from the card provider. Far in the future while rows are still coming.
  restored_at INTEGER
) STRICT;

CREATE TABLE crm_tokens (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
  access_token TEXT NOT NULL,
  refresh_token TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  scopes TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  lease_until INTEGER NOT NULL DEFAULT 0,
  revoked_at INTEGER
) STRICT;
CREATE INDEX crm_tokens_revoked ON crm_tokens (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE terminals (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  terminal_id TEXT NOT NULL,
  name TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('ecommerce', 'counter')),
  public_key TEXT NOT NULL,
  api_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- The last moment at which a card reader was known to answer; the provider itself does not tell.
  heard_at INTEGER,
  PRIMARY KEY (hub_id, terminal_id)
) STRICT;

CREATE TABLE users (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  -- Of the one who connected the account first: the CRM lets only its administrators do that.
  is_admin INTEGER NOT NULL DEFAULT 0,
  last_login_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, user_id)
) STRICT;
CREATE INDEX users_with_email ON users (last_login_at) WHERE email <> '';

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
CREATE INDEX merchant_logs_at ON merchant_logs (at);

-- What this clinic told the directory of itself last (JSON), and when: the same is not told again on each turn.
CREATE TABLE tellings (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
  text TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
