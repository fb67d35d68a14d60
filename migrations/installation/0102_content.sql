-- These tables hold the content area: its accounts and logins, files, articles, and builds of the public site.

-- A pending account waits for an owner's approval. A decoy stands for a registration with an address that already has
-- an account: it behaves like a pending account and can never be approved, so it does not reveal which addresses are
-- known.
CREATE TABLE content_users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL DEFAULT 'editor' CHECK (role IN ('owner', 'editor')),
  status TEXT NOT NULL CHECK (status IN ('active', 'pending', 'decoy')),
  -- scrypt$N$r$p$salt$hash: the parameters are stored with the hash, so that it can be made stronger later.
  password TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_login_at INTEGER
) STRICT;
CREATE UNIQUE INDEX content_users_email ON content_users (email) WHERE status <> 'decoy';
CREATE INDEX content_users_by_email ON content_users (email);
CREATE INDEX content_users_waiting ON content_users (created_at) WHERE status <> 'active';

-- One row per logged-in browser. As with merchants, only the refresh token (hash: companion_hash) renews a token.
CREATE TABLE content_sessions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES content_users (id) ON DELETE CASCADE,
  companion_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  revoked_at INTEGER,
  -- Last time a second factor was used in this session; NULL: never.
  second_at INTEGER
) STRICT;
CREATE INDEX content_sessions_user ON content_sessions (user_id);
CREATE INDEX content_sessions_end ON content_sessions (ends_at);

-- The set-up code creates one owner, ever: the row is the claim.
CREATE TABLE content_setup (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  user_id TEXT NOT NULL,
  used_at INTEGER NOT NULL
) STRICT;

CREATE TABLE content_invitations (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'editor')),
  invited_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  -- Set when the invitation was used, replaced by a later one, or withdrawn.
  ended_at INTEGER,
  -- Account of the inviter: the invitation ends when that account is no longer an owner.
  inviter_id TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX content_invitations_one_open ON content_invitations (email) WHERE ended_at IS NULL;
CREATE INDEX content_invitations_end ON content_invitations (ends_at);

CREATE TABLE content_resets (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES content_users (id) ON DELETE CASCADE,
  ends_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX content_resets_end ON content_resets (ends_at);
CREATE INDEX content_resets_open ON content_resets (user_id) WHERE used_at IS NULL;

-- Tries per account, per address and per known browser; the key is a hash. Once the limit is reached, each further try
-- must wait longer.
CREATE TABLE content_throttles (
  key TEXT PRIMARY KEY,
  tries INTEGER NOT NULL,
  open_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX content_throttles_end ON content_throttles (ends_at);

CREATE TABLE media (
  id TEXT PRIMARY KEY,
  -- Name under /media/ and in the bucket: random, with an extension that we choose.
  key TEXT NOT NULL UNIQUE,
  original_name TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  width INTEGER,
  height INTEGER,
  alt TEXT NOT NULL DEFAULT '',
  -- Narrower copies, as JSON: [{key, width, height}].
  variants TEXT NOT NULL DEFAULT '[]',
  is_public INTEGER NOT NULL DEFAULT 1,
  uploaded_by TEXT NOT NULL,
  uploader_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Name and description in lower case without accents, for the search. Older files keep their accents until someone
  -- describes them again.
  search TEXT NOT NULL DEFAULT '',
  -- SHA-256 of the stored file, so that no file is stored twice; empty for older files, until someone uploads a file of
  -- the same size.
  hash TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX media_newest ON media (created_at);
CREATE INDEX media_uploader ON media (uploader_id, created_at);
CREATE INDEX media_same ON media (size, hash);

-- Posts and pages. `content` comes after the columns of the lists, so that lists need not read past it.
CREATE TABLE articles (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('post', 'page')),
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'DRAFT' CHECK (status IN ('DRAFT', 'PUBLISHED')),
  picture_id TEXT REFERENCES media (id) ON DELETE SET NULL,
  version INTEGER NOT NULL DEFAULT 1,
  -- Site revision of the last change to this article's public page; 0: it never had one.
  revision INTEGER NOT NULL DEFAULT 0,
  -- Id of the save that created this version, for the other statements of that save.
  save_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  published_at INTEGER,
  updated_by TEXT NOT NULL,
  -- Title and slug in lower case without accents.
  search TEXT NOT NULL,
  content TEXT NOT NULL,
  -- Text of a post in lists; empty: the start of its content is used.
  excerpt TEXT NOT NULL DEFAULT '',
  -- A deleted article stays for a while, as a draft without an address. Its slug becomes ~{id}~{former slug}, which
  -- cannot be an address, so that another article may use the former slug.
  trashed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX articles_slug ON articles (kind, slug);
CREATE INDEX articles_public ON articles (kind, published_at DESC, id) WHERE status = 'PUBLISHED';
CREATE INDEX articles_updated ON articles (kind, updated_at DESC, id);
CREATE INDEX articles_trashed ON articles (trashed_at) WHERE trashed_at IS NOT NULL;

-- Former addresses of published articles; they redirect to the current address.
CREATE TABLE article_slugs (
  kind TEXT NOT NULL,
  slug TEXT NOT NULL,
  article_id TEXT NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
  PRIMARY KEY (kind, slug)
) STRICT;
CREATE INDEX article_slugs_article ON article_slugs (article_id);

CREATE TABLE article_revisions (
  article_id TEXT NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  title TEXT NOT NULL,
  status TEXT NOT NULL,
  slug TEXT NOT NULL,
  picture_id TEXT,
  saved_at INTEGER NOT NULL,
  saved_by TEXT NOT NULL,
  content TEXT NOT NULL,
  excerpt TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (article_id, version)
) STRICT;

-- Unsaved drafts; article_id is `new` if the article does not exist yet. A draft affects nothing public.
CREATE TABLE article_drafts (
  user_id TEXT NOT NULL REFERENCES content_users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  article_id TEXT NOT NULL,
  title TEXT NOT NULL,
  slug TEXT NOT NULL,
  base_version INTEGER NOT NULL,
  saved_at INTEGER NOT NULL,
  content TEXT NOT NULL,
  -- Picture chosen for a post but not saved: NULL keeps the saved one, '' removes it.
  picture_id TEXT,
  excerpt TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (user_id, kind, article_id)
) STRICT;
CREATE INDEX article_drafts_saved ON article_drafts (saved_at);

-- Files that an article shows, in its text or as its picture.
CREATE TABLE article_media (
  article_id TEXT NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
  media_id TEXT NOT NULL REFERENCES media (id) ON DELETE CASCADE,
  PRIMARY KEY (article_id, media_id)
) STRICT;
CREATE INDEX article_media_file ON article_media (media_id);

-- One row: the number of changes to the public site's content, and the revision of the last requested build.
CREATE TABLE site_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  requested_revision INTEGER NOT NULL,
  requested_at INTEGER NOT NULL
) STRICT;

CREATE TABLE site_builds (
  id TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'building', 'built', 'failed')),
  progress INTEGER NOT NULL DEFAULT 0,
  step TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  requested_at INTEGER NOT NULL,
  reported_at INTEGER NOT NULL
) STRICT;
CREATE INDEX site_builds_newest ON site_builds (requested_at);

CREATE TABLE content_passkeys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES content_users (id) ON DELETE CASCADE,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX content_passkeys_user ON content_passkeys (user_id);

-- Each code works once in place of a passkey.
CREATE TABLE content_recovery_codes (
  code_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES content_users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX content_recovery_codes_user ON content_recovery_codes (user_id);

-- Times at which a draft goes live and a public article leaves the site. They supplement the status, which stays DRAFT
-- or PUBLISHED; a time is cleared once it is carried out.
CREATE TABLE article_schedules (
  article_id TEXT PRIMARY KEY REFERENCES articles (id) ON DELETE CASCADE,
  starts_at INTEGER,
  ends_at INTEGER,
  CHECK (coalesce(starts_at, ends_at) IS NOT NULL)
) STRICT;
CREATE INDEX article_schedules_due ON article_schedules (coalesce(starts_at, ends_at));

INSERT INTO site_state (id, revision, changed_at, requested_revision, requested_at) VALUES (1, 0, 0, 0, 0);
