-- When a draft goes live by itself, and when what is public leaves the site again. They stand beside the status, which
-- stays DRAFT or PUBLISHED; a time that was carried out is gone.
CREATE TABLE article_schedules (
  article_id TEXT PRIMARY KEY REFERENCES articles (id) ON DELETE CASCADE,
  starts_at INTEGER,
  ends_at INTEGER,
  CHECK (coalesce(starts_at, ends_at) IS NOT NULL)
) STRICT;
CREATE INDEX article_schedules_due ON article_schedules (coalesce(starts_at, ends_at));
