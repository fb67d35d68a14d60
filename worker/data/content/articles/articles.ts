import type { ArticleKind, ArticleSortField, ArticleStatus } from '#shared/contracts/content/content';
import { eventStatements, type NewEvent } from '#worker/data/audit/events';
import { columnsOf, type Db, type RawRow, rowOf } from '#worker/data/db';
import { articles, type StoredVariant } from '#worker/data/schema/content';

export type ArticleRow = typeof articles.$inferSelect;
export type PictureRow = {
  id: string;
  key: string;
  alt: string;
  width: number;
  height: number;
  variants: StoredVariant[];
};
/** An article with its featured picture. */
export type FullArticle = ArticleRow & { picture: PictureRow | null };

const PICTURE =
  'm.id AS m_id, m.key AS m_key, m.alt AS m_alt, m.width AS m_width, m.height AS m_height, m.variants AS m_variants';
const ALL = `${columnsOf(articles, 'a', 'a_')}, ${PICTURE}`;
const WITHOUT_CONTENT = ALL.replace('a.content AS', "'' AS");
const FROM = 'FROM articles a LEFT JOIN media m ON m.id = a.picture_id';

const picture = (raw: RawRow): PictureRow | null =>
  raw.m_id === null
    ? null
    : {
        id: String(raw.m_id),
        key: String(raw.m_key),
        alt: String(raw.m_alt),
        width: Number(raw.m_width),
        height: Number(raw.m_height),
        variants: JSON.parse(String(raw.m_variants)) as StoredVariant[],
      };
const full = (raw: RawRow): FullArticle => ({ ...rowOf(articles, raw, 'a_'), picture: picture(raw) });

export async function findArticle({ $client }: Db, kind: ArticleKind, id: string): Promise<FullArticle | null> {
  const raw = await $client
    .prepare(`SELECT ${ALL} ${FROM} WHERE a.kind = ?1 AND a.id = ?2`)
    .bind(kind, id)
    .first<RawRow>();
  return raw && full(raw);
}

/** A published article by its slug; `movedTo` is its present slug where `slug` is an earlier one. */
export async function findPublished(
  { $client }: Db,
  kind: ArticleKind,
  slug: string,
): Promise<{ article: FullArticle } | { movedTo: string } | null> {
  const [now, before] = await $client.batch<RawRow>([
    $client
      .prepare(`SELECT ${ALL} ${FROM} WHERE a.kind = ?1 AND a.slug = ?2 AND a.status = 'PUBLISHED'`)
      .bind(kind, slug),
    $client
      .prepare(
        `SELECT a.slug FROM article_slugs s JOIN articles a ON a.id = s.article_id
WHERE s.kind = ?1 AND s.slug = ?2 AND a.status = 'PUBLISHED'`,
      )
      .bind(kind, slug),
  ]);
  const [row] = now?.results ?? [];
  if (row) return { article: full(row) };
  const [moved] = before?.results ?? [];
  return moved ? { movedTo: String(moved.slug) } : null;
}

/** Published articles of a kind with their texts, newest first; the total beside them. */
export const listPublished = (db: Db, kind: ArticleKind, { page, size }: { page: number; size: number }) =>
  listArticles(db, {
    kind,
    status: 'PUBLISHED',
    sort: { field: 'publishedAt', isDescending: true },
    page,
    size,
    withContent: true,
  });

export type ArticleQuestion = {
  kind: ArticleKind;
  status?: ArticleStatus | undefined;
  words?: string[];
  sort: { field: ArticleSortField; isDescending: boolean };
  page: number;
  size: number;
  withContent: boolean;
};

const SORT: Record<ArticleSortField, string> = {
  title: 'a.title COLLATE NOCASE',
  status: 'a.status',
  createdAt: 'a.created_at',
  updatedAt: 'a.updated_at',
  publishedAt: 'a.published_at',
};

/** A page of a list and the number of all matches. Words match as they are, not as patterns. */
export async function listArticles(
  { $client }: Db,
  ask: ArticleQuestion,
): Promise<{ rows: FullArticle[]; total: number }> {
  const { kind, status = '', words = [], sort, page, size, withContent } = ask;
  const where = `WHERE a.kind = ?1 AND (?2 = '' OR a.status = ?2)
AND NOT EXISTS (SELECT 1 FROM json_each(?3) w WHERE instr(a.search, w.value) = 0)`;
  const direction = sort.isDescending ? 'DESC' : 'ASC';
  const [rows, count] = await $client.batch<RawRow>([
    $client
      .prepare(
        `SELECT ${withContent ? ALL : WITHOUT_CONTENT} ${FROM} ${where}
ORDER BY ${SORT[sort.field]} ${direction}, a.id ${direction} LIMIT ?4 OFFSET ?5`,
      )
      .bind(kind, status, JSON.stringify(words), size, (page - 1) * size),
    $client.prepare(`SELECT count(*) AS n FROM articles a ${where}`).bind(kind, status, JSON.stringify(words)),
  ]);
  return { rows: (rows?.results ?? []).map(full), total: Number(count?.results[0]?.n ?? 0) };
}

/** Slugs that begin like this one and are taken, or redirect to an article: for picking a free one. */
export async function slugsLike({ $client }: Db, kind: ArticleKind, slug: string): Promise<Set<string>> {
  const { results } = await $client
    .prepare(
      ['articles', 'article_slugs']
        .map((table) => `SELECT slug FROM ${table} WHERE kind = ?1 AND substr(slug, 1, length(?2)) = ?2`)
        .join(' UNION '),
    )
    .bind(kind, slug)
    .all<{ slug: string }>();
  return new Set(results.map((row) => row.slug));
}

/** An image of the library. */
export async function findPicture({ $client }: Db, id: string): Promise<PictureRow | null> {
  const raw = await $client
    .prepare(`SELECT ${PICTURE} FROM media m WHERE m.id = ?1 AND m.width IS NOT NULL`)
    .bind(id)
    .first<RawRow>();
  return raw && picture(raw);
}

/** Delete an article; the next build takes it off the public site. */
export async function deleteArticle({ $client }: Db, kind: ArticleKind, id: string, now: number, event: NewEvent) {
  const [, , , gone] = await $client.batch<{ status: ArticleStatus }>([
    eventStatements(
      $client,
      event,
      `SELECT id AS subject_id, json_object('slug', slug, 'status', status, 'version', version) AS before, '' AS after
FROM articles WHERE kind = ?11 AND id = ?12`,
      [kind, id],
    ),
    $client
      .prepare(
        `UPDATE site_state SET revision = revision + 1, changed_at = ?3
WHERE EXISTS (SELECT 1 FROM articles WHERE kind = ?1 AND id = ?2 AND status = 'PUBLISHED')`,
      )
      .bind(kind, id, now),
    $client.prepare('DELETE FROM article_drafts WHERE kind = ?1 AND article_id = ?2').bind(kind, id),
    $client.prepare('DELETE FROM articles WHERE kind = ?1 AND id = ?2 RETURNING status').bind(kind, id),
  ]);
  return gone?.results[0];
}
