-- When this clinic's records were put back to an older state: it takes payments again once its transactions up to then
-- were read from the card provider. Far in the future while rows are still coming.
ALTER TABLE hubs ADD COLUMN restored_at INTEGER;

-- Triggers that wait for the end of a restore: rows that come back must not count, book or tell anything a second time.
-- While one is here the clinic's clock stands still.
CREATE TABLE waiting_triggers (
  name TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
