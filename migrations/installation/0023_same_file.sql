-- SHA-256 of a file as it is stored, so that the same one is not stored twice; empty for files of before, until one of
-- their size is uploaded.
ALTER TABLE media ADD COLUMN hash TEXT NOT NULL DEFAULT '';
CREATE INDEX media_same ON media (size, hash);
