CREATE TABLE accounts (
  account_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  domain TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  phone TEXT NOT NULL DEFAULT '',
  email TEXT NOT NULL DEFAULT '',
  connected_at INTEGER NOT NULL,
  -- When this clinic's records were put back to an older state: it takes payments again once its transactions up to then
  -- were read from the card provider. Far in the future while rows are still coming.
  restored_at INTEGER,
  -- What all of a manager's refunds and voids of 24 hours may come to, in cents; NULL: only administrators give money back.
  refund_limit_cents INTEGER CHECK (refund_limit_cents > 0),
  -- Above this amount of a payment, in cents, a second person approves what is given back; NULL: nobody does.
  second_person_cents INTEGER CHECK (second_person_cents > 0),
  -- When the account closes. While it is set nothing new is charged.
  closes_at INTEGER,
  -- What an administrator decided about the list of a clinic's first hour. All else on that list is read from the books.
  first_hour_ended_at INTEGER,
  mails_seen_at INTEGER,
  -- The language of a business's payers where neither their browser nor the CRM tells one.
  payer_language TEXT NOT NULL DEFAULT 'en' CHECK (payer_language IN ('en', 'es')),
  -- 1: payers see on their page and receipt what is on the bill. It may tell of their health, so somebody has to say so.
  shows_lines INTEGER NOT NULL DEFAULT 0 CHECK (shows_lines IN (0, 1)),
  -- An invoice that is paid in parts, where the account allows it (1) and staff opened it.
  takes_installments INTEGER NOT NULL DEFAULT 0 CHECK (takes_installments IN (0, 1))
) STRICT;

CREATE TABLE crm_tokens (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  access_token TEXT NOT NULL,
  refresh_token TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  scopes TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  lease_until INTEGER NOT NULL DEFAULT 0,
  revoked_at INTEGER
) STRICT;
CREATE INDEX crm_tokens_revoked ON crm_tokens (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE users (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  last_login_at INTEGER NOT NULL,
  -- user_id is our own number of a person; crm_user_id is the CRM's, of one who came through it.
  crm_user_id INTEGER,
  name TEXT NOT NULL DEFAULT '',
  role TEXT NOT NULL DEFAULT 'desk' CHECK (role IN ('reader', 'desk', 'manager', 'admin')),
  -- 0: an administrator only because this person connected the account first, which anybody may have done.
  is_confirmed INTEGER NOT NULL DEFAULT 1,
  -- Whoever was removed comes in again only when invited again. The row stays: refunds and batches name its number.
  removed_at INTEGER,
  PRIMARY KEY (account_id, user_id)
) STRICT;
CREATE INDEX users_with_email ON users (last_login_at) WHERE email <> '';
CREATE UNIQUE INDEX users_of_crm ON users (account_id, crm_user_id) WHERE crm_user_id IS NOT NULL;
CREATE INDEX users_by_email ON users (account_id, email COLLATE NOCASE);
CREATE INDEX users_admins ON users (account_id) WHERE role = 'admin' AND removed_at IS NULL;

-- One row is one browser that is logged in. The short-lived access token names the row; the companion cookie holds the
-- secret whose hash stands here and is the only thing that can renew that token.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  companion_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  revoked_at INTEGER,
  -- What a person reads to tell one browser from another, such as 'Firefox on Windows'.
  label TEXT NOT NULL DEFAULT '',
  began_by TEXT NOT NULL DEFAULT 'crm'
    CHECK (began_by IN ('crm', 'passkey', 'code', 'pin')),
  -- The last proof in this session, and by what; NULL: none yet, as after a login through the CRM.
  proved_at INTEGER,
  proof TEXT CHECK (proof IN ('passkey', 'pin', 'code')),
  FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, user_id)
) STRICT;
CREATE INDEX sessions_end ON sessions (ends_at);
CREATE INDEX sessions_of_user ON sessions (account_id, user_id) WHERE revoked_at IS NULL;

-- An invitation of staff. The link in the mail is a capability, of which the hash stands here; it works once.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
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
CREATE INDEX invitations_open ON invitations (account_id, email COLLATE NOCASE) WHERE ended_at IS NULL;

-- A time in which the operator may look at the clinic as it is, because an administrator said so. Who looks is number 0
-- among the people, who may only read.
CREATE TABLE support_views (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  granted_by INTEGER NOT NULL,
  granted_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  -- Ended before its time.
  ended_at INTEGER
) STRICT;
CREATE INDEX support_views_of_hub ON support_views (account_id, ends_at);
CREATE INDEX support_views_end ON support_views (ends_at);

CREATE TABLE staff_passkeys (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  user_id INTEGER NOT NULL,
  -- What the passkey names its person by, a capability of the clinic: by it a login finds the clinic.
  handle TEXT NOT NULL,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX staff_passkeys_of_user ON staff_passkeys (account_id, user_id);

CREATE TABLE pins (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  user_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  -- Since the last right one.
  wrong_tries INTEGER NOT NULL DEFAULT 0,
  locked_until INTEGER NOT NULL DEFAULT 0,
  set_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, user_id)
) STRICT;

-- A code that was mailed to a person who sets a first factor. It is good in the session that asked.
CREATE TABLE factor_codes (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  user_id INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  taken_at INTEGER
) STRICT;
CREATE INDEX factor_codes_of_user ON factor_codes (account_id, user_id, created_at);
CREATE INDEX factor_codes_created ON factor_codes (created_at);

-- Challenges that were answered, so that none is answered twice.
CREATE TABLE taken_challenges (
  challenge TEXT PRIMARY KEY,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX taken_challenges_end ON taken_challenges (ends_at);

-- What this clinic told the directory of itself last (JSON), and when: the same is not told again on each turn.
CREATE TABLE status_reports (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  text TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

-- An account that an administrator wants closed; none after it was taken back.
CREATE TABLE closings (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  requested_by INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  -- When the schedule tries to erase it: on the day, and each day after that on which something still stood.
  try_at INTEGER NOT NULL,
  -- What stood at the last try, as JSON: sentences.
  stood TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX closings_due ON closings (try_at);

-- A download of all records that is being made, or that waits to be fetched: one for the clinic, one for the operator.
CREATE TABLE archives (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  kind TEXT NOT NULL CHECK (kind IN ('clinic', 'operator')),
  -- Names its folder in the bucket.
  id TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  -- When its next parts are written; NULL: all of them are.
  due_at INTEGER,
  -- How often it was begun: acts meanwhile begin it anew.
  tries INTEGER NOT NULL DEFAULT 0,
  -- How far it is, as JSON; empty: not begun.
  progress TEXT NOT NULL DEFAULT '',
  ready_at INTEGER,
  -- It goes with its files then.
  ends_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, kind)
) STRICT;

-- A row for each account, so that no step has to look for accounts without one.
CREATE TRIGGER audit_checks_begin AFTER INSERT ON accounts
BEGIN
  INSERT OR IGNORE INTO audit_checks (account_id) VALUES (NEW.account_id);
END;

-- A new grant may be allowed what the one before was not.
CREATE TRIGGER grant_lets_write AFTER UPDATE OF scopes ON crm_tokens BEGIN
  UPDATE crm_write_settings SET state = 'ready', said = '', wait_until = 0 WHERE account_id = NEW.account_id;
  UPDATE crm_writes SET next_try_at = created_at
    WHERE account_id = NEW.account_id AND state IN ('refused', 'unknown') AND state = 'refused';
END;

-- Who is invited again chooses again.
CREATE TRIGGER removed_gets_no_notices AFTER UPDATE OF removed_at ON users WHEN NEW.removed_at IS NOT NULL BEGIN
  DELETE FROM payment_notices WHERE account_id = NEW.account_id AND user_id = NEW.user_id;
END;
