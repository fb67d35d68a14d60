-- Declined payments by the hashed address of the payer, over all clinics: who tests cards goes from one clinic's links to
-- the next one's. They count for an hour.
CREATE TABLE declines (
  ip_key TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX declines_of_address ON declines (ip_key, at);
CREATE INDEX declines_end ON declines (at);
