-- When an account reminds the payers of its invoices; no row, or no `next_run_at`: never.
CREATE TABLE reminder_plans (
  hub_id INTEGER PRIMARY KEY REFERENCES hubs (hub_id),
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
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
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
CREATE INDEX reminders_owed ON reminders (hub_id, planned_at) WHERE state = 'owed';
CREATE INDEX reminders_of_invoice ON reminders (hub_id, invoice_id, day);
CREATE INDEX reminders_planned ON reminders (planned_at);

-- Invoices that staff left out.
CREATE TABLE reminder_exclusions (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  invoice_id TEXT NOT NULL,
  excluded_by INTEGER NOT NULL,
  excluded_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, invoice_id)
) STRICT;

-- An address that was reminded, in small letters, with the capability by which it stops the reminders of this business.
CREATE TABLE mail_stops (
  token TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  address TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  stopped_at INTEGER
) STRICT;
CREATE UNIQUE INDEX mail_stops_address ON mail_stops (hub_id, address);
CREATE INDEX mail_stops_unused ON mail_stops (made_at) WHERE stopped_at IS NULL;

-- How many mails to payers an account came to owe on a day; `at`: when it began (UTC).
CREATE TABLE mail_days (
  hub_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  mails INTEGER NOT NULL,
  PRIMARY KEY (hub_id, at)
) STRICT;
CREATE INDEX mail_days_at ON mail_days (at);
CREATE TRIGGER outbox_count_day AFTER INSERT ON outbox
WHEN NEW.hub_id IS NOT NULL AND NEW.kind IN ('receipt', 'crm-receipt', 'pay-link', 'reminder') BEGIN
  INSERT INTO mail_days (hub_id, at, mails) VALUES (NEW.hub_id, NEW.created_at - NEW.created_at % 86400000, 1)
  ON CONFLICT (hub_id, at) DO UPDATE SET mails = mails + 1;
END;
