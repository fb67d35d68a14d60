-- These tables hold the clinic's outbox, mail delivery events, payment notices, reminders and mailings.

-- Emails to send. Each is written in the transaction of the action that it reports, and sent afterwards, once per id.
-- Sending composes an email from the rows that it refers to; `details` (JSON) holds values that are in no row, with
-- capabilities sealed.
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  recipient TEXT NOT NULL,
  account_id INTEGER,
  attempt_id TEXT REFERENCES payment_attempts (id),
  invoice_id TEXT,
  details TEXT NOT NULL DEFAULT '{}',
  state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'failed')),
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  sent_at INTEGER,
  -- Delivery, as the mail service reports it by webhook. `provider_id`: the email's id there; `delivery`: the furthest
  -- stage of any event; `delivery_at`: time of that event by the service's clock; `arrived_at`: last reported time of
  -- arrival; `ask_at`: time of the only inquiry to the service if no event has arrived.
  provider_id TEXT,
  delivery TEXT
    CHECK (delivery IN ('accepted', 'delayed', 'delivered', 'bounced', 'failed', 'suppressed', 'complained')),
  delivery_at INTEGER,
  arrived_at INTEGER,
  ask_at INTEGER
) STRICT;
CREATE INDEX outbox_due ON outbox (next_try_at) WHERE state = 'due';
CREATE INDEX outbox_invoice ON outbox (account_id, invoice_id, created_at) WHERE invoice_id IS NOT NULL;
CREATE INDEX outbox_done ON outbox (created_at) WHERE state <> 'due';
CREATE INDEX outbox_done_with_details ON outbox (sent_at) WHERE state <> 'due' AND details <> '{}';
-- Emails given up: few compared with all sent emails.
CREATE INDEX outbox_failed ON outbox (created_at) WHERE state = 'failed';
CREATE INDEX outbox_test_links ON outbox (account_id, created_at) WHERE kind = 'test-link';
CREATE INDEX outbox_to_ask ON outbox (ask_at) WHERE ask_at IS NOT NULL;
-- With this index, a late event does not mark an address as bad if a later email has arrived there.
CREATE INDEX outbox_arrived ON outbox (account_id, lower(recipient), arrived_at) WHERE arrived_at IS NOT NULL;

-- Events of the mail service, kept so that a repeat changes nothing. They contain neither subject nor address.
-- `mail_id`: the email in the outbox to which the event refers; empty: not one of ours.
CREATE TABLE mail_events (
  id TEXT PRIMARY KEY,
  mail_id TEXT NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  heard_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_events_heard ON mail_events (heard_at);

-- Addresses that mail does not reach: permanent bounce, complaint, or the service's suppression list. Lower case.
CREATE TABLE mail_addresses (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  address TEXT NOT NULL,
  why TEXT NOT NULL CHECK (why IN ('bounced', 'suppressed', 'complained')),
  mail_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (account_id, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_addresses_at ON mail_addresses (at);

-- Number of an account's emails to payers, and of payment notices to staff, per day; `at`: start of the day (UTC).
CREATE TABLE mail_days (
  account_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  mails INTEGER NOT NULL,
  PRIMARY KEY (at, account_id)
) STRICT, WITHOUT ROWID;

-- Staff who want an email when a pay link is paid; no row: never.
CREATE TABLE payment_notices (
  account_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  how TEXT NOT NULL CHECK (how IN ('at-once', 'daily')),
  -- For 'daily': payments before this time were already reported, or were made before this setting was chosen.
  told_until INTEGER NOT NULL,
  -- Time of the next check for the daily email; NULL: an email is sent at once for each payment.
  next_at INTEGER,
  PRIMARY KEY (account_id, user_id),
  FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, user_id)
) STRICT;
CREATE INDEX payment_notices_due ON payment_notices (next_at) WHERE next_at IS NOT NULL;

-- Plan of an account for reminders to payers; no row, or no `next_run_at`: no reminders.
CREATE TABLE reminder_plans (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  -- Days after the due date, as JSON; negative: before it.
  steps TEXT NOT NULL,
  changed_by INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  -- Last local day whose invoices were searched.
  done_day TEXT NOT NULL,
  -- Time of the next search.
  next_run_at INTEGER,
  -- No due reminder is sent before then: outside sending hours, above the daily cap, or while the CRM does not respond.
  wait_until INTEGER NOT NULL DEFAULT 0
) STRICT;

-- One row per invoice and step of the plan, and so one reminder. The email has the same id.
CREATE TABLE reminders (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  invoice_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  -- 'handed': passed to the outbox, which has the outcome.
  state TEXT NOT NULL CHECK (state IN ('owed', 'handed', 'void', 'skipped')),
  -- Reason why it was not sent; empty: it was, or it is still due.
  why TEXT NOT NULL DEFAULT '',
  -- Local day of planning, or of the handover to the outbox.
  day TEXT NOT NULL,
  planned_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reminders_owed ON reminders (account_id, planned_at) WHERE state = 'owed';
CREATE INDEX reminders_of_invoice ON reminders (account_id, invoice_id, day);
CREATE INDEX reminders_planned ON reminders (planned_at);

-- Invoices that staff excluded from reminders.
CREATE TABLE reminder_exclusions (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  invoice_id TEXT NOT NULL,
  excluded_by INTEGER NOT NULL,
  excluded_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, invoice_id)
) STRICT;

-- Addresses that got reminders, in lower case, each with the capability that stops reminders from this business.
CREATE TABLE reminder_opt_outs (
  token TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  address TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  stopped_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX reminder_opt_outs_address ON reminder_opt_outs (account_id, address);
CREATE INDEX reminder_opt_outs_unused ON reminder_opt_outs (made_at) WHERE stopped_at IS NULL;

-- Pay links that staff send to the payers of many invoices at once.
CREATE TABLE mailings (
  -- Idempotency key from the requesting browser: a repeated request is the same mailing.
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  requested_by INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  -- Nothing is sent before this time, so that staff can withdraw the mailing.
  starts_at INTEGER NOT NULL,
  -- Time of the next step; NULL: completed.
  next_at INTEGER,
  stopped_at INTEGER
) STRICT, WITHOUT ROWID;
-- One at a time, so that two people who click at the same time do not send a payer two emails.
CREATE UNIQUE INDEX mailings_under_way ON mailings (account_id) WHERE next_at IS NOT NULL;
CREATE INDEX mailings_asked ON mailings (requested_at);

-- Invoices of a mailing: one row is one email, whose id consists of the mailing and the invoice.
CREATE TABLE mailing_invoices (
  mailing_id TEXT NOT NULL,
  invoice_id TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  -- Position in the sending order.
  n INTEGER NOT NULL,
  -- 'handed': passed to the outbox, which has the outcome.
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'handed', 'left-out')),
  -- Reason why it was skipped; empty: it was not.
  why TEXT NOT NULL DEFAULT '',
  -- Time of the move to this state.
  at INTEGER NOT NULL,
  PRIMARY KEY (mailing_id, invoice_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mailing_invoices_waiting ON mailing_invoices (mailing_id, n) WHERE state = 'waiting';
CREATE INDEX mailing_invoices_at ON mailing_invoices (at);

CREATE TRIGGER outbox_count_day AFTER INSERT ON outbox
WHEN NEW.account_id IS NOT NULL
  AND NEW.kind IN ('receipt', 'crm-receipt', 'pay-link', 'reminder', 'payment-notice', 'payment-notice-day') BEGIN
  INSERT INTO mail_days (account_id, at, mails) VALUES (NEW.account_id, NEW.created_at - NEW.created_at % 86400000, 1)
  ON CONFLICT (account_id, at) DO UPDATE SET mails = mails + 1;
END;
