-- People of a clinic: what each may do, who was invited, and in which browsers they are logged in.

-- user_id is our own number of a person; crm_user_id is the CRM's, of one who came through it.
ALTER TABLE users ADD COLUMN crm_user_id INTEGER;
ALTER TABLE users ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'desk' CHECK (role IN ('reader', 'desk', 'manager', 'admin'));
-- 0: an administrator only because this person connected the account first, which anybody may have done.
ALTER TABLE users ADD COLUMN is_confirmed INTEGER NOT NULL DEFAULT 1;
-- Whoever was removed comes in again only when invited again. The row stays: refunds and batches name its number.
ALTER TABLE users ADD COLUMN removed_at INTEGER;
UPDATE users SET crm_user_id = user_id, role = iif(is_admin = 1, 'admin', 'desk'), is_confirmed = 1 - is_admin;
ALTER TABLE users DROP COLUMN is_admin;
CREATE UNIQUE INDEX users_of_crm ON users (hub_id, crm_user_id) WHERE crm_user_id IS NOT NULL;
CREATE INDEX users_by_email ON users (hub_id, email COLLATE NOCASE);
CREATE INDEX users_admins ON users (hub_id) WHERE role = 'admin' AND removed_at IS NULL;

-- What a person reads to tell one browser from another, such as 'Firefox on Windows'.
ALTER TABLE sessions ADD COLUMN label TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN began_by TEXT NOT NULL DEFAULT 'crm'
  CHECK (began_by IN ('crm', 'passkey', 'code', 'pin'));
CREATE INDEX sessions_of_user ON sessions (hub_id, user_id) WHERE revoked_at IS NULL;

-- An invitation of staff. The link in the mail is a capability, of which the hash stands here; it works once.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('reader', 'desk', 'manager', 'admin')),
  secret_hash TEXT NOT NULL UNIQUE,
  -- NULL: the operator.
  invited_by INTEGER,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  -- Accepted, taken back, or replaced by a later one.
  ended_at INTEGER
) STRICT;
CREATE INDEX invitations_end ON invitations (ends_at);
CREATE INDEX invitations_open ON invitations (hub_id, email COLLATE NOCASE) WHERE ended_at IS NULL;

-- What all of a manager's refunds and voids of 24 hours may come to, in cents; NULL: only administrators give money back.
ALTER TABLE hubs ADD COLUMN refund_limit_cents INTEGER CHECK (refund_limit_cents > 0);
CREATE INDEX reversals_of_user ON reversals (hub_id, asked_by, created_at);
