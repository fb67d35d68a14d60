-- What became of a mail, as the mail service tells it by its webhooks: `provider_id` is the mail's id there, `delivery`
-- the farthest that any event told, `delivery_at` that event's time by the service's clock, `arrived_at` the time at which
-- it was last told to have arrived. `ask_at`: when the service is asked once, because no event has come.
ALTER TABLE outbox ADD COLUMN provider_id TEXT;
ALTER TABLE outbox ADD COLUMN delivery TEXT
  CHECK (delivery IN ('accepted', 'delayed', 'delivered', 'bounced', 'failed', 'suppressed', 'complained'));
ALTER TABLE outbox ADD COLUMN delivery_at INTEGER;
ALTER TABLE outbox ADD COLUMN arrived_at INTEGER;
ALTER TABLE outbox ADD COLUMN ask_at INTEGER;
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
