-- What lists show of a post instead of the beginning of its text; empty: that beginning.
ALTER TABLE articles ADD COLUMN excerpt TEXT NOT NULL DEFAULT '';
ALTER TABLE article_revisions ADD COLUMN excerpt TEXT NOT NULL DEFAULT '';
ALTER TABLE article_drafts ADD COLUMN excerpt TEXT NOT NULL DEFAULT '';
