-- Mails that are owed; written in the batch of what they tell of, sent afterwards, once per id. What a mail says is made
-- of the rows that it points to when it is sent; `details` (JSON) holds what no row does, capabilities sealed.
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
  -- What became of a mail, as the mail service tells it by its webhooks: `provider_id` is the mail's id there, `delivery`
  -- the farthest that any event told, `delivery_at` that event's time by the service's clock, `arrived_at` the time at which
  -- it was last told to have arrived. `ask_at`: when the service is asked once, because no event has come.
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
-- Mails that were given up, which are few among all that were sent.
CREATE INDEX outbox_failed ON outbox (created_at) WHERE state = 'failed';
CREATE INDEX outbox_test_links ON outbox (account_id, created_at) WHERE kind = 'test-link';
CREATE INDEX outbox_to_ask ON outbox (ask_at) WHERE ask_at IS NOT NULL;
-- By it an event that comes late does not call an address bad at which a later mail arrived.
CREATE INDEX outbox_arrived ON outbox (account_id, lower(recipient), arrived_at) WHERE arrived_at IS NOT NULL;

-- Events of the mail service, so that a repeat changes nothing. Neither subject nor address is in them. `mail_id`: the
-- mail of the outbox that it is about; empty: none of ours.
CREATE TABLE mail_events (
  id TEXT PRIMARY KEY,
  mail_id TEXT NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  heard_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mail_events_heard ON mail_events (heard_at);

-- Addresses at which no mail arrives: a permanent bounce, a complaint, or the service's own list. In small letters.
CREATE TABLE mail_addresses (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  address TEXT NOT NULL,
  why TEXT NOT NULL CHECK (why IN ('bounced', 'suppressed', 'complained')),
  mail_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (account_id, address)
) STRICT;
CREATE INDEX mail_addresses_at ON mail_addresses (at);

-- How many mails to payers an account came to owe on a day; `at`: when it began (UTC).
CREATE TABLE mail_days (
  account_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  mails INTEGER NOT NULL,
  PRIMARY KEY (account_id, at)
) STRICT;
CREATE INDEX mail_days_at ON mail_days (at);

-- Who of the staff wants a mail when a pay link is paid; no row: never.
CREATE TABLE payment_notices (
  account_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  how TEXT NOT NULL CHECK (how IN ('at-once', 'daily')),
  -- Of 'daily': payments before then are told already, or were before the choice.
  told_until INTEGER NOT NULL,
  -- When the next mail of a day is looked for; none: of each payment at once.
  next_at INTEGER,
  PRIMARY KEY (account_id, user_id),
  FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, user_id)
) STRICT;
CREATE INDEX payment_notices_due ON payment_notices (next_at) WHERE next_at IS NOT NULL;

-- When an account reminds the payers of its invoices; no row, or no `next_run_at`: never.
CREATE TABLE reminder_plans (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  -- Days after the due date, as JSON; negative: before it.
  steps TEXT NOT NULL,
  changed_by INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  -- The last local day whose invoices were looked for.
  done_day TEXT NOT NULL,
  -- When the next are looked for.
  next_run_at INTEGER,
  -- Until then nothing that is owed is sent: outside of hours, above the cap of a day, or while the CRM is silent.
  wait_until INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX reminder_plans_due ON reminder_plans (next_run_at) WHERE next_run_at IS NOT NULL;

-- An invoice and a step of the plan: one row for ever, so one reminder. Its id is that of the mail.
CREATE TABLE reminders (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  invoice_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  -- 'handed': to the outbox, which says what became of it.
  state TEXT NOT NULL CHECK (state IN ('owed', 'handed', 'void', 'skipped')),
  -- Why it was not sent; empty: it was, or it is owed.
  why TEXT NOT NULL DEFAULT '',
  -- The local day on which it was planned, or handed to the outbox.
  day TEXT NOT NULL,
  planned_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reminders_owed ON reminders (account_id, planned_at) WHERE state = 'owed';
CREATE INDEX reminders_of_invoice ON reminders (account_id, invoice_id, day);
CREATE INDEX reminders_planned ON reminders (planned_at);

-- Invoices that staff left out.
CREATE TABLE reminder_exclusions (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  invoice_id TEXT NOT NULL,
  excluded_by INTEGER NOT NULL,
  excluded_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, invoice_id)
) STRICT;

-- An address that was reminded, in small letters, with the capability by which it stops the reminders of this business.
CREATE TABLE reminder_opt_outs (
  token TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  address TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  stopped_at INTEGER
) STRICT;
CREATE UNIQUE INDEX reminder_opt_outs_address ON reminder_opt_outs (account_id, address);
CREATE INDEX reminder_opt_outs_unused ON reminder_opt_outs (made_at) WHERE stopped_at IS NULL;

-- Payment links that staff mail to the payers of many invoices at once.
CREATE TABLE mailings (
  -- Made by the browser that asks, so that asking again is asking once.
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  requested_by INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  -- Nothing is sent before then, so that it can be taken back.
  starts_at INTEGER NOT NULL,
  -- When it goes on; none: it is over.
  next_at INTEGER,
  stopped_at INTEGER
) STRICT;
-- One at a time: two people who press at once mail nobody twice.
CREATE UNIQUE INDEX mailings_under_way ON mailings (account_id) WHERE next_at IS NOT NULL;
CREATE INDEX mailings_newest ON mailings (account_id, requested_at);
CREATE INDEX mailings_asked ON mailings (requested_at);

-- An invoice of a mailing: one row, so one mail, whose id the two make.
CREATE TABLE mailing_invoices (
  mailing_id TEXT NOT NULL,
  invoice_id TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  -- In which order they go out.
  n INTEGER NOT NULL,
  -- 'handed': to the outbox, which says what became of it.
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'handed', 'left-out')),
  -- Why it was left out; empty: it was not.
  why TEXT NOT NULL DEFAULT '',
  -- When it came to this state.
  at INTEGER NOT NULL,
  PRIMARY KEY (mailing_id, invoice_id)
) STRICT;
CREATE INDEX mailing_invoices_waiting ON mailing_invoices (mailing_id, n) WHERE state = 'waiting';
CREATE INDEX mailing_invoices_at ON mailing_invoices (at);

CREATE TRIGGER outbox_count_day AFTER INSERT ON outbox
WHEN NEW.account_id IS NOT NULL
  AND NEW.kind IN ('receipt', 'crm-receipt', 'pay-link', 'reminder', 'payment-notice', 'payment-notice-day') BEGIN
  INSERT INTO mail_days (account_id, at, mails) VALUES (NEW.account_id, NEW.created_at - NEW.created_at % 86400000, 1)
  ON CONFLICT (account_id, at) DO UPDATE SET mails = mails + 1;
END;
