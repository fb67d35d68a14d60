import { sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { articleStatuses, roles } from '#shared/contracts/content/content-values';

/** The content area: accounts, posts, pages, files, and the public site's state; part of schema.ts. */

const kinds = ['post', 'page'] as const;

export const contentUsers = sqliteTable('content_users', {
  id: text('id').primaryKey(),
  email: text('email').notNull(),
  name: text('name').notNull(),
  role: text('role', { enum: roles }).notNull().default('editor'),
  status: text('status', { enum: ['active', 'pending', 'decoy'] }).notNull(),
  password: text('password').notNull(),
  createdAt: integer('created_at').notNull(),
  lastLoginAt: integer('last_login_at'),
});

export const contentSessions = sqliteTable('content_sessions', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  refreshTokenHash: text('companion_hash').notNull(),
  createdAt: integer('created_at').notNull(),
  seenAt: integer('seen_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  revokedAt: integer('revoked_at'),
  secondAt: integer('second_at'),
});

export const contentPasskeys = sqliteTable('content_passkeys', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  publicKey: text('public_key').notNull(),
  counter: integer('counter').notNull(),
  transports: text('transports').notNull(),
  label: text('label').notNull(),
  createdAt: integer('created_at').notNull(),
  usedAt: integer('used_at'),
});
export type ContentPasskeyRow = typeof contentPasskeys.$inferSelect;

export const contentRecoveryCodes = sqliteTable('content_recovery_codes', {
  codeHash: text('code_hash').primaryKey(),
  userId: text('user_id').notNull(),
  createdAt: integer('created_at').notNull(),
  usedAt: integer('used_at'),
});

export const contentSetup = sqliteTable('content_setup', {
  id: integer('id').primaryKey(),
  userId: text('user_id').notNull(),
  usedAt: integer('used_at').notNull(),
});

export const contentInvitations = sqliteTable('content_invitations', {
  id: text('id').primaryKey(),
  tokenHash: text('token_hash').notNull(),
  email: text('email').notNull(),
  role: text('role', { enum: roles }).notNull(),
  invitedBy: text('invited_by').notNull(),
  createdAt: integer('created_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  endedAt: integer('ended_at'),
  inviterId: text('inviter_id').notNull().default(''),
});

export const contentResets = sqliteTable('content_resets', {
  id: text('id').primaryKey(),
  tokenHash: text('token_hash').notNull(),
  userId: text('user_id').notNull(),
  endsAt: integer('ends_at').notNull(),
  usedAt: integer('used_at'),
});

export const contentRateLimits = sqliteTable('content_throttles', {
  key: text('key').primaryKey(),
  tries: integer('tries').notNull(),
  openAt: integer('open_at').notNull(),
  endsAt: integer('ends_at').notNull(),
});

export type StoredVariant = { key: string; width: number; height: number };

export const media = sqliteTable('media', {
  id: text('id').primaryKey(),
  key: text('key').notNull(),
  originalName: text('original_name').notNull(),
  mimeType: text('mime_type').notNull(),
  size: integer('size').notNull(),
  width: integer('width'),
  height: integer('height'),
  alt: text('alt').notNull().default(''),
  variants: text('variants', { mode: 'json' }).$type<StoredVariant[]>().notNull().default(sql`'[]'`),
  isPublic: integer('is_public', { mode: 'boolean' }).notNull().default(true),
  uploadedBy: text('uploaded_by').notNull(),
  uploaderId: text('uploader_id').notNull(),
  createdAt: integer('created_at').notNull(),
  search: text('search').notNull().default(''),
  hash: text('hash').notNull().default(''),
});

export const articles = sqliteTable('articles', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: kinds }).notNull(),
  slug: text('slug').notNull(),
  title: text('title').notNull(),
  status: text('status', { enum: articleStatuses }).notNull().default('DRAFT'),
  pictureId: text('picture_id'),
  version: integer('version').notNull().default(1),
  revision: integer('revision').notNull().default(0),
  saveId: text('save_id').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  publishedAt: integer('published_at'),
  updatedBy: text('updated_by').notNull(),
  search: text('search').notNull(),
  content: text('content').notNull(),
  excerpt: text('excerpt').notNull().default(''),
  trashedAt: integer('trashed_at'),
});

export const articleSchedules = sqliteTable('article_schedules', {
  articleId: text('article_id').primaryKey(),
  startsAt: integer('starts_at'),
  endsAt: integer('ends_at'),
});
export type ArticleScheduleRow = typeof articleSchedules.$inferSelect;

export const articleSlugs = sqliteTable(
  'article_slugs',
  {
    kind: text('kind', { enum: kinds }).notNull(),
    slug: text('slug').notNull(),
    articleId: text('article_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.slug] })],
);

export const articleRevisions = sqliteTable(
  'article_revisions',
  {
    articleId: text('article_id').notNull(),
    version: integer('version').notNull(),
    title: text('title').notNull(),
    status: text('status', { enum: articleStatuses }).notNull(),
    slug: text('slug').notNull(),
    pictureId: text('picture_id'),
    savedAt: integer('saved_at').notNull(),
    savedBy: text('saved_by').notNull(),
    content: text('content').notNull(),
    excerpt: text('excerpt').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.articleId, table.version] })],
);

export const articleDrafts = sqliteTable(
  'article_drafts',
  {
    userId: text('user_id').notNull(),
    kind: text('kind', { enum: kinds }).notNull(),
    articleId: text('article_id').notNull(),
    title: text('title').notNull(),
    slug: text('slug').notNull(),
    baseVersion: integer('base_version').notNull(),
    savedAt: integer('saved_at').notNull(),
    content: text('content').notNull(),
    /** Null keeps the saved picture, '' removes it. */
    pictureId: text('picture_id'),
    excerpt: text('excerpt').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind, table.articleId] })],
);

export const articleMedia = sqliteTable(
  'article_media',
  {
    articleId: text('article_id').notNull(),
    mediaId: text('media_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.articleId, table.mediaId] })],
);

export const siteState = sqliteTable('site_state', {
  id: integer('id').primaryKey(),
  revision: integer('revision').notNull(),
  changedAt: integer('changed_at').notNull(),
  requestedRevision: integer('requested_revision').notNull(),
  requestedAt: integer('requested_at').notNull(),
});

export const siteBuilds = sqliteTable('site_builds', {
  id: text('id').primaryKey(),
  revision: integer('revision').notNull(),
  state: text('state', { enum: ['asked', 'building', 'built', 'failed'] })
    .notNull()
    .default('asked'),
  progress: integer('progress').notNull().default(0),
  step: text('step').notNull().default(''),
  reason: text('reason').notNull().default(''),
  requestedAt: integer('requested_at').notNull(),
  reportedAt: integer('reported_at').notNull(),
});
