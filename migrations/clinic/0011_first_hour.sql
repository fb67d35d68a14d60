-- What an administrator decided about the list of a clinic's first hour. All else on that list is read from the books.
ALTER TABLE hubs ADD COLUMN first_hour_ended_at INTEGER;
ALTER TABLE hubs ADD COLUMN mails_seen_at INTEGER;
-- Who takes payments already has had this hour.
UPDATE hubs SET first_hour_ended_at = connected_at
  WHERE EXISTS (SELECT 1 FROM ledger WHERE ledger.hub_id = hubs.hub_id);
CREATE INDEX outbox_test_links ON outbox (hub_id, created_at) WHERE kind = 'test-link';
