-- Mails that were given up, which are few among all that were sent. For a clinic's database and the installation's.
CREATE INDEX outbox_failed ON outbox (created_at) WHERE state = 'failed';
