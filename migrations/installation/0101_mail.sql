-- Mails that are owed; written in the batch of what they tell of, sent afterwards, once per id. What a mail says is made
-- of the rows that it points to when it is sent; `details` (JSON) holds what no row does, capabilities sealed.
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
CREATE INDEX outbox_done ON outbox (created_at) WHERE state <> 'due';
CREATE INDEX outbox_done_with_details ON outbox (sent_at) WHERE state <> 'due' AND details <> '{}';
-- Mails that were given up, which are few among all that were sent. For a clinic's database and the installation's.
CREATE INDEX outbox_failed ON outbox (created_at) WHERE state = 'failed';
CREATE INDEX outbox_to_ask ON outbox (ask_at) WHERE ask_at IS NOT NULL;

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
