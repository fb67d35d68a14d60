import { and, desc, eq } from 'drizzle-orm';
import type { ArticleKind, ArticleStatus } from '#shared/contracts/content/content';
import { eventStatement, type TextEvent } from '#worker/data/audit/events';
import type { Db } from '#worker/data/db';
import { articleDrafts, articleRevisions, articles } from '#worker/data/schema/content';
import { isNotInTrash } from './articles.ts';

/** The times at which a draft is published automatically and a public article leaves the site; null for never. */
export type Schedule = { startsAt: number | null; endsAt: number | null };

export type ArticleVersion = {
  id: string;
  kind: ArticleKind;
  slug: string;
  title: string;
  status: ArticleStatus;
  schedule: Schedule;
  pictureId: string | null;
  content: string;
  excerpt: string;
  search: string;
  /** Ids of the files used in the text. */
  files: string[];
  saveId: string;
  author: { id: string; name: string };
  now: number;
  /** The version on which this one is based; 0 for a new article. */
  baseVersion: number;
  /** `isPublic`: visitors see this change. `formerSlug`: the published address that this version replaces, if any. */
  isPublic: boolean;
  formerSlug: string | null;
  /** The id of the article whose draft this save deletes, which is this article or `new`. */
  draftArticleId: string;
  /** Set if visitors will see the change, now or by the schedule. */
  event: TextEvent | null;
};

const MAX_REVISIONS = 50;
const IS_THIS_SAVE = 'EXISTS (SELECT 1 FROM articles WHERE id = ?1 AND save_id = ?2)';

/**
 * Save a version with all its parts, in one transaction. Every later statement checks the `save_id` that the first one
 * wrote. `stale`: another save came first. `slug-taken`: another article has the address.
 */
export async function saveVersion({ $client }: Db, version: ArticleVersion): Promise<'saved' | 'stale' | 'slug-taken'> {
  const {
    id,
    kind,
    slug,
    title,
    status,
    schedule,
    pictureId,
    content,
    excerpt,
    search,
    saveId,
    author,
    now,
    baseVersion: previousVersion,
  } = version;
  const prepare = (sql: string, ...values: unknown[]) => $client.prepare(sql).bind(id, saveId, ...values);
  const row = [kind, slug, title, status, pictureId, now, author.name, search, content, excerpt];
  const first =
    previousVersion === 0
      ? prepare(
          `INSERT INTO articles (id, save_id, kind, slug, title, status, picture_id, created_at, updated_at, published_at,
  updated_by, search, content, excerpt)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, iif(?6 = 'PUBLISHED', ?8, NULL), ?9, ?10, ?11, ?12) RETURNING id`,
          ...row,
        )
      : prepare(
          `UPDATE articles SET save_id = ?2, slug = ?4, title = ?5, status = ?6, picture_id = ?7, updated_at = ?8,
  published_at = coalesce(published_at, iif(?6 = 'PUBLISHED', ?8, NULL)), updated_by = ?9, search = ?10, content = ?11,
  excerpt = ?12, version = version + 1
WHERE id = ?1 AND kind = ?3 AND version = ?13 AND ${isNotInTrash('slug')} RETURNING id`,
          ...row,
          previousVersion,
        );
  const statements = [
    first,
    ...(version.event ? [eventStatement($client, version.event)] : []),
    prepare(
      `INSERT INTO article_revisions (article_id, version, title, status, slug, picture_id, saved_at, saved_by, content,
  excerpt)
SELECT id, version, title, status, slug, picture_id, updated_at, updated_by, content, excerpt FROM articles
WHERE id = ?1 AND save_id = ?2`,
    ),
    prepare(
      `DELETE FROM article_revisions WHERE article_id = ?1
AND version <= (SELECT version - ${MAX_REVISIONS} FROM articles WHERE id = ?1 AND save_id = ?2)`,
    ),
    schedule.startsAt === null && schedule.endsAt === null
      ? prepare(`DELETE FROM article_schedules WHERE article_id = ?1 AND ${IS_THIS_SAVE}`)
      : prepare(
          `INSERT INTO article_schedules (article_id, starts_at, ends_at) SELECT ?1, ?3, ?4 WHERE ${IS_THIS_SAVE}
ON CONFLICT (article_id) DO UPDATE SET starts_at = ?3, ends_at = ?4`,
          schedule.startsAt,
          schedule.endsAt,
        ),
    // A draft must not take over a former address that still redirects visitors to another article.
    prepare(
      `DELETE FROM article_slugs WHERE kind = ?3 AND slug = ?4 AND (article_id = ?1 OR ?5 = 'PUBLISHED') AND ${IS_THIS_SAVE}`,
      kind,
      slug,
      status,
    ),
    prepare(`DELETE FROM article_media WHERE article_id = ?1 AND ${IS_THIS_SAVE}`),
    prepare(
      `INSERT OR IGNORE INTO article_media (article_id, media_id)
SELECT ?1, m.id FROM media m WHERE m.id IN (SELECT value FROM json_each(?3)) AND ${IS_THIS_SAVE}`,
      JSON.stringify([...version.files, ...(pictureId ? [pictureId] : [])]),
    ),
    prepare(
      `DELETE FROM article_drafts WHERE user_id = ?3 AND kind = ?4 AND article_id = ?5 AND ${IS_THIS_SAVE}`,
      author.id,
      kind,
      version.draftArticleId,
    ),
  ];
  if (version.formerSlug) {
    statements.push(
      // Redirect the former address. If it already redirects to another article, this one had it only as a draft, and
      // that redirect stays.
      prepare(
        `INSERT OR IGNORE INTO article_slugs (kind, slug, article_id) SELECT ?3, ?4, ?1 WHERE ${IS_THIS_SAVE}`,
        kind,
        version.formerSlug,
      ),
    );
  }
  if (version.isPublic) {
    statements.push(
      prepare(`UPDATE site_state SET revision = revision + 1, changed_at = ?3 WHERE ${IS_THIS_SAVE}`, now),
      prepare('UPDATE articles SET revision = (SELECT revision FROM site_state) WHERE id = ?1 AND save_id = ?2'),
    );
  }
  try {
    const [saved] = await $client.batch(statements);
    return saved?.results.length ? 'saved' : 'stale';
  } catch (cause) {
    if (/UNIQUE constraint failed: articles\.kind, articles\.slug/.test(String(cause))) return 'slug-taken';
    throw cause;
  }
}

export type DraftRow = typeof articleDrafts.$inferSelect;
export type RevisionRow = typeof articleRevisions.$inferSelect;
export type DraftKey = { userId: string; kind: ArticleKind; articleId: string };

const hasKey = ({ userId, kind, articleId }: DraftKey) =>
  and(eq(articleDrafts.userId, userId), eq(articleDrafts.kind, kind), eq(articleDrafts.articleId, articleId));

export const findDraft = (db: Db, key: DraftKey) => db.select().from(articleDrafts).where(hasKey(key)).get();

export async function saveDraft(db: Db, draft: DraftRow): Promise<void> {
  const { title, slug, baseVersion, savedAt, content, pictureId, excerpt } = draft;
  await db
    .insert(articleDrafts)
    .values(draft)
    .onConflictDoUpdate({
      target: [articleDrafts.userId, articleDrafts.kind, articleDrafts.articleId],
      set: { title, slug, baseVersion, savedAt, content, pictureId, excerpt },
    });
}

export async function deleteDraft(db: Db, key: DraftKey): Promise<boolean> {
  const deleted = await db.delete(articleDrafts).where(hasKey(key)).returning({ articleId: articleDrafts.articleId });
  return deleted.length > 0;
}

export const listRevisions = (db: Db, kind: ArticleKind, articleId: string) =>
  db
    .select({
      version: articleRevisions.version,
      title: articleRevisions.title,
      status: articleRevisions.status,
      slug: articleRevisions.slug,
      savedAt: articleRevisions.savedAt,
      savedBy: articleRevisions.savedBy,
    })
    .from(articleRevisions)
    .innerJoin(articles, and(eq(articles.id, articleRevisions.articleId), eq(articles.kind, kind)))
    .where(eq(articleRevisions.articleId, articleId))
    .orderBy(desc(articleRevisions.version));

export const findRevision = (db: Db, articleId: string, version: number) =>
  db
    .select()
    .from(articleRevisions)
    .where(and(eq(articleRevisions.articleId, articleId), eq(articleRevisions.version, version)))
    .get();
