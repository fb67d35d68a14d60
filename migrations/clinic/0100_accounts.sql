-- These tables hold a clinic's account, its CRM grant, its staff and their logins, its closing and its downloads.
--
-- Each clinic has a database of its own, with one account. Each index takes a page of 4 kB in each database, so a
-- table with one row per account, or with few rows, has none. Small tables whose row ids nothing uses have none.

CREATE TABLE accounts (
  account_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  domain TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  phone TEXT NOT NULL DEFAULT '',
  email TEXT NOT NULL DEFAULT '',
  connected_at INTEGER NOT NULL,
  -- Time of the last restore of this clinic's records. Payments resume once reconciliation has read the card provider's
  -- transactions up to then. Far in the future while rows are still being restored.
  restored_at INTEGER,
  -- Cents that a manager may refund and void within 24 hours, in total; NULL: only administrators refund and void.
  refund_limit_cents INTEGER CHECK (refund_limit_cents > 0),
  -- Cents per payment: if its refunds and voids exceed this amount, a second person approves; NULL: no approval needed.
  second_person_cents INTEGER CHECK (second_person_cents > 0),
  -- Closing time of the account. While it is set, nothing new is charged.
  closes_at INTEGER,
  -- Decisions of administrators on the first-hour checklist: they ended it, or saw the emails. All other data of the
  -- checklist come from other tables.
  first_hour_ended_at INTEGER,
  mails_seen_at INTEGER,
  -- Language for payers if neither their browser nor the CRM specifies one.
  payer_language TEXT NOT NULL DEFAULT 'en',
  -- 1: payers see the line items on the pay page and the receipt. These may reveal health data, so staff must opt in.
  shows_lines INTEGER NOT NULL DEFAULT 0 CHECK (shows_lines IN (0, 1)),
  -- 1: the account accepts installments, for invoices that staff opened for them.
  takes_installments INTEGER NOT NULL DEFAULT 0 CHECK (takes_installments IN (0, 1)),
  -- 1: payers may pay from a bank account.
  takes_bank_payments INTEGER NOT NULL DEFAULT 1 CHECK (takes_bank_payments IN (0, 1)),
  -- 1: payers may pay with Apple Pay.
  takes_apple_pay INTEGER NOT NULL DEFAULT 0 CHECK (takes_apple_pay IN (0, 1)),
  -- Host of the pay page that the card provider has registered for Apple Pay; pay pages on another host do not offer it.
  apple_pay_host TEXT NOT NULL DEFAULT '',
  -- The card provider's reason for its last refusal to register the host.
  apple_pay_refusal TEXT NOT NULL DEFAULT '',
  -- Time of the next attempt to register the host; NULL: none is due.
  apple_pay_next_at INTEGER,
  -- 1: payers may pay with Google Pay. Only then do the pay pages load Google's script.
  takes_google_pay INTEGER NOT NULL DEFAULT 0 CHECK (takes_google_pay IN (0, 1))
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

CREATE TABLE users (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  user_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  last_login_at INTEGER NOT NULL,
  -- user_id is our own number for the person; crm_user_id is the CRM's number, for staff who came through the CRM.
  crm_user_id INTEGER,
  name TEXT NOT NULL DEFAULT '',
  role TEXT NOT NULL DEFAULT 'desk',
  -- 0: an administrator only because this person connected the account first, which anyone could have done.
  is_confirmed INTEGER NOT NULL DEFAULT 1,
  -- A removed person needs a new invitation. The row stays, because refunds and batches refer to its number.
  removed_at INTEGER,
  PRIMARY KEY (account_id, user_id)
) STRICT;
CREATE INDEX users_with_email ON users (last_login_at) WHERE email <> '';
CREATE UNIQUE INDEX users_of_crm ON users (account_id, crm_user_id) WHERE crm_user_id IS NOT NULL;
CREATE INDEX users_by_email ON users (account_id, email COLLATE NOCASE);
CREATE INDEX users_admins ON users (account_id) WHERE role = 'admin' AND removed_at IS NULL;

-- One row per logged-in browser. The short-lived access token contains the row's id. Only the refresh token in the
-- browser's cookie renews the access token; companion_hash is the hash of that refresh token.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  companion_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  revoked_at INTEGER,
  -- Name by which staff tell browsers apart, such as 'Firefox on Windows'.
  label TEXT NOT NULL DEFAULT '',
  began_by TEXT NOT NULL DEFAULT 'crm'
    CHECK (began_by IN ('crm', 'passkey', 'code', 'pin')),
  -- Time and kind of the last proof in this session; NULL: none yet, as after a login through the CRM.
  proved_at INTEGER,
  proof TEXT CHECK (proof IN ('passkey', 'pin', 'code')),
  FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_end ON sessions (ends_at);
CREATE INDEX sessions_of_user ON sessions (account_id, user_id) WHERE revoked_at IS NULL;

-- Invitations of staff. The link in the email is a capability that works once; secret_hash is its hash.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  -- NULL: the operator.
  invited_by INTEGER,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  -- Set when the invitation was accepted, withdrawn, or replaced by a later one.
  ended_at INTEGER
) STRICT, WITHOUT ROWID;

-- Periods in which the operator may view the clinic as staff see it; an administrator grants each. The operator acts as
-- user 0, who may only read.
CREATE TABLE support_views (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  granted_by INTEGER NOT NULL,
  granted_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  -- Set when the period ended early.
  ended_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE staff_passkeys (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  user_id INTEGER NOT NULL,
  -- User handle in the passkey: a capability of the clinic, by which a login finds the clinic.
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
  -- Wrong tries since the last correct PIN.
  wrong_tries INTEGER NOT NULL DEFAULT 0,
  locked_until INTEGER NOT NULL DEFAULT 0,
  set_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, user_id)
) STRICT, WITHOUT ROWID;

-- Codes mailed to staff who set up a first factor. A code is valid only in the session that requested it.
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
) STRICT, WITHOUT ROWID;
CREATE INDEX factor_codes_of_user ON factor_codes (account_id, user_id, created_at);

-- Answered challenges, so that each is answered only once.
CREATE TABLE taken_challenges (
  challenge TEXT PRIMARY KEY,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Last report of this clinic to the directory (JSON) with its time, so that no turn repeats the same report.
CREATE TABLE status_reports (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  text TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

-- Request of an administrator to close the account; a withdrawn request has no row.
CREATE TABLE closings (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  requested_by INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  -- Time of the next attempt to erase the account: the closing day, then each day while something still prevents it.
  try_at INTEGER NOT NULL,
  -- Obstacles at the last attempt, as a JSON list of sentences.
  stood TEXT NOT NULL DEFAULT '[]'
) STRICT;

-- Downloads of all records, in progress or ready: one for the clinic, one for the operator.
CREATE TABLE archives (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  kind TEXT NOT NULL CHECK (kind IN ('clinic', 'operator')),
  -- Name of its folder in the bucket.
  id TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  -- Time to write the next parts; NULL: all are written.
  due_at INTEGER,
  -- Number of starts: any action during the download restarts it.
  tries INTEGER NOT NULL DEFAULT 0,
  -- Progress as JSON; empty: not started.
  progress TEXT NOT NULL DEFAULT '',
  ready_at INTEGER,
  -- Time at which the row and its files are deleted.
  ends_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, kind)
) STRICT, WITHOUT ROWID;

-- Each account gets its row here, so that no step has to search for accounts without one.
CREATE TRIGGER audit_checks_begin AFTER INSERT ON accounts
BEGIN
  INSERT OR IGNORE INTO audit_checks (account_id) VALUES (NEW.account_id);
END;

-- A new grant may allow writes that the old one did not.
CREATE TRIGGER grant_lets_write AFTER UPDATE OF scopes ON crm_tokens BEGIN
  UPDATE crm_write_settings SET state = 'ready', said = '', wait_until = 0 WHERE account_id = NEW.account_id;
  UPDATE crm_writes SET next_try_at = created_at
    WHERE account_id = NEW.account_id AND state IN ('refused', 'unknown') AND state = 'refused';
END;

-- A removed person gets no notices. After a new invitation, they choose again.
CREATE TRIGGER removed_gets_no_notices AFTER UPDATE OF removed_at ON users WHEN NEW.removed_at IS NOT NULL BEGIN
  DELETE FROM payment_notices WHERE account_id = NEW.account_id AND user_id = NEW.user_id;
END;
