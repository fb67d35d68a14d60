import { sql } from 'drizzle-orm';
import { primaryKey } from 'drizzle-orm/sqlite-core';
import { articleStatuses, roles } from '#shared/contracts/content/content-values';
import { atItsEnd, DAY, deleteAfter } from './lifetime.ts';
import { personal, plain, table } from './table.ts';

/** The content area: accounts, posts, pages, files, and the public site's state; part of schema.ts. */

const kinds = ['post', 'page'] as const;

export const contentUsers = table(
  'content_users',
  {
    row: 'an account of the content area',
    lifetime: {
      row: 'until an owner removes it',
      rules: [deleteAfter('created_at', 30 * DAY, 'content_users_waiting', "status <> 'active'")],
      why: 'an account in use; nobody waits longer for an approval',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.text('id').primaryKey(),
    email: personal.text('email').notNull(),
    name: personal.text('name').notNull(),
    role: plain.text('role', { enum: roles }).notNull().default('editor'),
    status: plain.text('status', { enum: ['active', 'pending', 'decoy'] }).notNull(),
    password: plain.text('password').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    lastLoginAt: plain.integer('last_login_at'),
  },
);

export const contentSessions = table(
  'content_sessions',
  {
    row: 'a browser that is logged in there',
    lifetime: {
      rules: [deleteAfter('ends_at', 7 * DAY, 'content_sessions_end')],
      why: 'as with merchants’ sessions',
    },
    copies: { none: 'people log in again' },
  },
  {
    id: plain.text('id').primaryKey(),
    userId: plain.text('user_id').notNull(),
    refreshTokenHash: plain.text('companion_hash').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    seenAt: plain.integer('seen_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    revokedAt: plain.integer('revoked_at'),
    secondAt: plain.integer('second_at'),
  },
);

export const contentPasskeys = table(
  'content_passkeys',
  {
    row: 'a passkey of such an account, its second factor',
    lifetime: { row: 'with the account', rules: [], why: 'public keys, which open nothing by themselves' },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.text('id').primaryKey(),
    userId: plain.text('user_id').notNull(),
    publicKey: plain.text('public_key').notNull(),
    counter: plain.integer('counter').notNull(),
    transports: plain.text('transports').notNull(),
    label: plain.text('label').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    usedAt: plain.integer('used_at'),
  },
);
export type ContentPasskeyRow = typeof contentPasskeys.$inferSelect;

export const contentRecoveryCodes = table(
  'content_recovery_codes',
  {
    row: 'a code for the day on which the passkeys are lost',
    lifetime: { row: 'with the account, or until new ones are made', rules: [], why: 'each works once' },
    copies: { none: 'people make new ones with their passkey' },
  },
  {
    codeHash: plain.text('code_hash').primaryKey(),
    userId: plain.text('user_id').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    usedAt: plain.integer('used_at'),
  },
);

export const contentSetup = table(
  'content_setup',
  {
    row: 'that the set-up code was used',
    lifetime: { row: 'for ever', rules: [], why: 'the code works once' },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.integer('id').primaryKey(),
    userId: plain.text('user_id').notNull(),
    usedAt: plain.integer('used_at').notNull(),
  },
);

export const contentInvitations = table(
  'content_invitations',
  {
    row: 'a person who was invited',
    lifetime: {
      rules: [atItsEnd('content_invitations_end')],
      why: 'good for 7 days, once, while its author is an owner',
    },
    copies: { none: 'good for some days: people are invited again' },
  },
  {
    id: plain.text('id').primaryKey(),
    tokenHash: plain.text('token_hash').notNull(),
    email: personal.text('email').notNull(),
    role: plain.text('role', { enum: roles }).notNull(),
    invitedBy: plain.text('invited_by').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    endedAt: plain.integer('ended_at'),
    inviterId: plain.text('inviter_id').notNull().default(''),
  },
);

export const contentResets = table(
  'content_resets',
  {
    row: 'a request for a new password',
    lifetime: { rules: [atItsEnd('content_resets_end')], why: 'good for 1 hour, once' },
    copies: { none: 'good for an hour' },
  },
  {
    id: plain.text('id').primaryKey(),
    tokenHash: plain.text('token_hash').notNull(),
    userId: plain.text('user_id').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
    usedAt: plain.integer('used_at'),
  },
);

export const contentRateLimits = table(
  'content_throttles',
  {
    row: 'failed tries of one account, address or browser',
    lifetime: { rules: [atItsEnd('content_throttles_end')], why: 'tries count no longer then' },
    copies: { none: 'counts of the last hours' },
  },
  {
    key: plain.text('key').primaryKey(),
    tries: plain.integer('tries').notNull(),
    openAt: plain.integer('open_at').notNull(),
    endsAt: plain.integer('ends_at').notNull(),
  },
);

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
