-- Name and description of a file as they are searched: small letters without accents. Files of before keep their accents
-- until they are described anew.
ALTER TABLE media ADD COLUMN search TEXT NOT NULL DEFAULT '';
UPDATE media SET search = lower(original_name || ' ' || alt);
