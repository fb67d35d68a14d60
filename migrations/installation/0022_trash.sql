-- A deleted article stays for a while, as a draft without an address: its slug is ~{id}~{the slug that it had}, which no
-- address can be, so that another article may take that.
ALTER TABLE articles ADD COLUMN trashed_at INTEGER;
CREATE INDEX articles_trashed ON articles (trashed_at) WHERE trashed_at IS NOT NULL;
