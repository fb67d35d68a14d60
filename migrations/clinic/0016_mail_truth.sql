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

-- Addresses at which no mail arrives: a permanent bounce, a complaint, or the service's own list. In small letters.
CREATE TABLE mail_addresses (
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  address TEXT NOT NULL,
  why TEXT NOT NULL CHECK (why IN ('bounced', 'suppressed', 'complained')),
  mail_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, address)
) STRICT;
CREATE INDEX mail_addresses_at ON mail_addresses (at);
-- By it an event that comes late does not call an address bad at which a later mail arrived.
CREATE INDEX outbox_arrived ON outbox (hub_id, lower(recipient), arrived_at) WHERE arrived_at IS NOT NULL;
