-- The picture that somebody chose for a post and has not saved: null leaves the saved one, '' takes it away.
ALTER TABLE article_drafts ADD COLUMN picture_id TEXT;
