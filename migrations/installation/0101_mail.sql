-- These tables hold the installation's outbox and mail delivery events.

-- Emails to send. Each is written in the transaction of the action that it reports, and sent afterwards, once per id.
-- Sending composes an email from the rows that it refers to; `details` (JSON) holds values that are in no row, with
-- capabilities sealed.
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  recipient TEXT NOT NULL,
  account_id INTEGER,
  attempt_id TEXT,
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
CREATE INDEX outbox_done ON outbox (created_at) WHERE state <> 'due';
CREATE INDEX outbox_done_with_details ON outbox (sent_at) WHERE state <> 'due' AND details <> '{}';
-- Emails given up: few compared with all sent emails. Both kinds of database have this index.
CREATE INDEX outbox_failed ON outbox (created_at) WHERE state = 'failed';
CREATE INDEX outbox_to_ask ON outbox (ask_at) WHERE ask_at IS NOT NULL;

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
