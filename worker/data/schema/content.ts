import { sql } from 'drizzle-orm';
import { primaryKey } from 'drizzle-orm/sqlite-core';
import { articleStatuses } from '#shared/contracts/content/content-values';
import { DAY, deleteAfter, personal, plain, table } from './table.ts';

/** Posts, pages, files, and the state of the public site. */

const kinds = ['post', 'page'] as const;

export type StoredVariant = { key: string; width: number; height: number };

export const media = table(
  'media',
  {
    row: 'one uploaded file',
    lifetime: {
      row: 'until it is deleted',
      rules: [],
      why:
        'articles show it; after its deletion, shared caches drop it within an hour, ' +
        'while a browser that loaded it may keep it',
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
    row: 'one post or page',
    lifetime: {
      row: 'until it is deleted',
      rules: [
        {
          does: 'delete',
          what: 'articles in the trash',
          column: 'trashed_at',
          ms: 30 * DAY,
          index: 'articles_trashed',
          when: 'trashed_at IS NOT NULL',
        },
      ],
      why: 'it is the public site; a month is enough to notice a wrong deletion',
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
    row: 'the schedule of one article',
    lifetime: {
      row: 'until its times are carried out or withdrawn, or the article is deleted',
      rules: [],
      why: 'planned changes only',
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
    row: 'one former address of a published article',
    lifetime: {
      row: 'as long as the article, or until another article takes the address',
      rules: [],
      why: 'an old address redirects to the article',
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
    row: 'one saved version of an article',
    lifetime: { row: 'the newest 50 of each article', rules: [], why: 'each save deletes older versions' },
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
    row: 'the unsaved draft of one writer for one article',
    lifetime: {
      row: 'until the article is saved or the draft is discarded',
      rules: [deleteAfter('saved_at', 365 * DAY, 'article_drafts_saved')],
      why: 'a draft of that age is abandoned',
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
    /** Null keeps the saved picture; '' removes it. */
    pictureId: plain.text('picture_id'),
    excerpt: plain.text('excerpt').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind, table.articleId] })],
);

export const articleMedia = table(
  'article_media',
  {
    row: 'one file that one article shows',
    lifetime: { row: 'as long as both the article and the file', rules: [], why: 'it shows where a file is used' },
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
    row: 'the state of the public site (one row)',
    lifetime: { row: 'forever', rules: [], why: 'one row' },
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
    row: 'one requested build of the site',
    lifetime: { rules: [{ does: 'newest', rows: 100, column: 'requested_at' }], why: 'enough to diagnose a failure' },
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
