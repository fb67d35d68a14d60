import { sql } from 'drizzle-orm';
import { primaryKey } from 'drizzle-orm/sqlite-core';
import { articleStatuses } from '#shared/contracts/content/content-values';
import { DAY, deleteAfter } from './lifetime.ts';
import { personal, plain, table } from './table.ts';

/** Posts, pages, files, and the state of the public site. */

const kinds = ['post', 'page'] as const;

export type StoredVariant = { key: string; width: number; height: number };

export const media = table(
  'media',
  {
    row: 'an uploaded file',
    lifetime: {
      row: 'until it is deleted',
      rules: [],
      why: 'articles show it; shared caches let go of a deleted one within an hour, a browser that has seen it may keep it',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.text('id').primaryKey(),
    key: plain.text('key').notNull(),
    originalName: plain.text('original_name').notNull(),
    mimeType: plain.text('mime_type').notNull(),
    size: plain.integer('size').notNull(),
    width: plain.integer('width'),
    height: plain.integer('height'),
    alt: plain.text('alt').notNull().default(''),
    variants: plain.text('variants', { mode: 'json' }).$type<StoredVariant[]>().notNull().default(sql`'[]'`),
    isPublic: plain.integer('is_public', { mode: 'boolean' }).notNull().default(true),
    uploadedBy: personal.text('uploaded_by').notNull(),
    uploaderId: plain.text('uploader_id').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    search: plain.text('search').notNull().default(''),
    hash: plain.text('hash').notNull().default(''),
  },
);

export const articles = table(
  'articles',
  {
    row: 'a post or a page',
    lifetime: {
      row: 'until it is deleted',
      rules: [
        {
          does: 'delete',
          what: 'what is in the trash',
          column: 'trashed_at',
          ms: 30 * DAY,
          index: 'articles_trashed',
          when: 'trashed_at IS NOT NULL',
        },
      ],
      why: 'the public site; a month is enough to miss what was deleted',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
    atOnce: 20,
  },
  {
    id: plain.text('id').primaryKey(),
    kind: plain.text('kind', { enum: kinds }).notNull(),
    slug: plain.text('slug').notNull(),
    title: plain.text('title').notNull(),
    status: plain.text('status', { enum: articleStatuses }).notNull().default('DRAFT'),
    pictureId: plain.text('picture_id'),
    version: plain.integer('version').notNull().default(1),
    revision: plain.integer('revision').notNull().default(0),
    saveId: plain.text('save_id').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    updatedAt: plain.integer('updated_at').notNull(),
    publishedAt: plain.integer('published_at'),
    updatedBy: plain.text('updated_by').notNull(),
    search: plain.text('search').notNull(),
    content: plain.text('content').notNull(),
    excerpt: plain.text('excerpt').notNull().default(''),
    trashedAt: plain.integer('trashed_at'),
  },
);

export const articleSchedules = table(
  'article_schedules',
  {
    row: 'what is planned for an article',
    lifetime: {
      row: 'until its times are carried out or taken back, or the article is deleted',
      rules: [],
      why: 'what is planned',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    articleId: plain.text('article_id').primaryKey(),
    startsAt: plain.integer('starts_at'),
    endsAt: plain.integer('ends_at'),
  },
);
export type ArticleScheduleRow = typeof articleSchedules.$inferSelect;

export const articleSlugs = table(
  'article_slugs',
  {
    row: 'a former address of a published article',
    lifetime: {
      row: 'with the article, or until another one takes the address',
      rules: [],
      why: 'old addresses lead on',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    kind: plain.text('kind', { enum: kinds }).notNull(),
    slug: plain.text('slug').notNull(),
    articleId: plain.text('article_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.slug] })],
);

export const articleRevisions = table(
  'article_revisions',
  {
    row: 'a version of an article',
    lifetime: { row: 'the newest 50 of an article', rules: [], why: 'each save drops older ones' },
    copies: { only: 'dump', why: 'the installation has no export' },
    atOnce: 20,
  },
  {
    articleId: plain.text('article_id').notNull(),
    version: plain.integer('version').notNull(),
    title: plain.text('title').notNull(),
    status: plain.text('status', { enum: articleStatuses }).notNull(),
    slug: plain.text('slug').notNull(),
    pictureId: plain.text('picture_id'),
    savedAt: plain.integer('saved_at').notNull(),
    savedBy: personal.text('saved_by').notNull(),
    content: plain.text('content').notNull(),
    excerpt: plain.text('excerpt').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.articleId, table.version] })],
);

export const articleDrafts = table(
  'article_drafts',
  {
    row: 'text that one account typed and has not saved',
    lifetime: {
      row: 'until the article is saved or the draft is dropped',
      rules: [deleteAfter('saved_at', 365 * DAY, 'article_drafts_saved')],
      why: 'nobody goes on after a year',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
    atOnce: 20,
  },
  {
    userId: plain.text('user_id').notNull(),
    kind: plain.text('kind', { enum: kinds }).notNull(),
    articleId: plain.text('article_id').notNull(),
    title: plain.text('title').notNull(),
    slug: plain.text('slug').notNull(),
    baseVersion: plain.integer('base_version').notNull(),
    savedAt: plain.integer('saved_at').notNull(),
    content: plain.text('content').notNull(),
    /** Null keeps the saved picture, '' removes it. */
    pictureId: plain.text('picture_id'),
    excerpt: plain.text('excerpt').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind, table.articleId] })],
);

export const articleMedia = table(
  'article_media',
  {
    row: 'an article that shows a file',
    lifetime: { row: 'with the article or the file', rules: [], why: 'it says where a file is shown' },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    articleId: plain.text('article_id').notNull(),
    mediaId: plain.text('media_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.articleId, table.mediaId] })],
);

export const siteState = table(
  'site_state',
  {
    row: 'how far the public site is (one row)',
    lifetime: { row: 'for ever', rules: [], why: 'one row' },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.integer('id').primaryKey(),
    revision: plain.integer('revision').notNull(),
    changedAt: plain.integer('changed_at').notNull(),
    requestedRevision: plain.integer('requested_revision').notNull(),
    requestedAt: plain.integer('requested_at').notNull(),
  },
);

export const siteBuilds = table(
  'site_builds',
  {
    row: 'a build that was asked for',
    lifetime: { rules: [{ does: 'newest', rows: 100, column: 'requested_at' }], why: 'enough to see what went wrong' },
    copies: { none: 'the site is built again' },
  },
  {
    id: plain.text('id').primaryKey(),
    revision: plain.integer('revision').notNull(),
    state: plain
      .text('state', { enum: ['asked', 'building', 'built', 'failed'] })
      .notNull()
      .default('asked'),
    progress: plain.integer('progress').notNull().default(0),
    step: plain.text('step').notNull().default(''),
    reason: plain.text('reason').notNull().default(''),
    requestedAt: plain.integer('requested_at').notNull(),
    reportedAt: plain.integer('reported_at').notNull(),
  },
);
