import { and, desc, eq } from 'drizzle-orm';
import type { ArticleKind } from '#shared/contracts/content/content';
import type { Db } from '#worker/data/db';
import { articleDrafts, articleRevisions, articles } from '#worker/data/schema/content';

export type DraftRow = typeof articleDrafts.$inferSelect;
export type RevisionRow = typeof articleRevisions.$inferSelect;
export type DraftOf = { userId: string; kind: ArticleKind; articleId: string };

const isOf = ({ userId, kind, articleId }: DraftOf) =>
  and(eq(articleDrafts.userId, userId), eq(articleDrafts.kind, kind), eq(articleDrafts.articleId, articleId));

export const findDraft = (db: Db, of: DraftOf) => db.select().from(articleDrafts).where(isOf(of)).get();

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

export async function deleteDraft(db: Db, of: DraftOf): Promise<boolean> {
  const gone = await db.delete(articleDrafts).where(isOf(of)).returning({ articleId: articleDrafts.articleId });
  return gone.length > 0;
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
