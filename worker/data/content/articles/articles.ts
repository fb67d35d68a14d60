import type { ArticleKind, ArticleSortField, ArticleStatus } from '#shared/contracts/content/content';
import type { articleListStatuses } from '#shared/contracts/content/content-values';
import { eventStatement, eventStatements, type NewEvent, type TextEvent } from '#worker/data/audit/events';
import { columnsOf, type Db, type RawRow, rowOf } from '#worker/data/db';
import { type ArticleScheduleRow, articles, type StoredVariant } from '#worker/data/schema/content';

export type ArticleRow = typeof articles.$inferSelect;
export type PictureRow = {
  id: string;
  key: string;
  alt: string;
  width: number;
  height: number;
  variants: StoredVariant[];
};
/** Articles in the trash have no address. Their slugs start with a character that sorts after all valid ones. */
export const isInTrash = (slug: string) => `${slug} >= '~'`;
export const isNotInTrash = (slug: string) => `${slug} < '~'`;

/** An article with its featured picture and its schedule. */
export type FullArticle = ArticleRow & Pick<ArticleScheduleRow, 'startsAt' | 'endsAt'> & { picture: PictureRow | null };

const PICTURE_COLUMNS =
  'm.id AS m_id, m.key AS m_key, m.alt AS m_alt, m.width AS m_width, m.height AS m_height, m.variants AS m_variants';
const ARTICLE_COLUMNS = `${columnsOf(articles, 'a', 'a_')}, ${PICTURE_COLUMNS}, s.starts_at, s.ends_at`;
const COLUMNS_WITHOUT_CONTENT = ARTICLE_COLUMNS.replace('a.content AS', "'' AS").replace('a.excerpt AS', "'' AS");
const FROM_ARTICLES = `FROM articles a LEFT JOIN media m ON m.id = a.picture_id
LEFT JOIN article_schedules s ON s.article_id = a.id`;

const pictureOf = (raw: RawRow): PictureRow | null =>
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
const timeOf = (value: unknown): number | null => (value === null ? null : Number(value));
const fullArticleOf = (raw: RawRow): FullArticle => ({
  ...rowOf(articles, raw, 'a_'),
  picture: pictureOf(raw),
  startsAt: timeOf(raw.starts_at),
  endsAt: timeOf(raw.ends_at),
});

export async function findArticle({ $client }: Db, kind: ArticleKind, id: string): Promise<FullArticle | null> {
  const raw = await $client
    .prepare(`SELECT ${ARTICLE_COLUMNS} ${FROM_ARTICLES} WHERE a.kind = ?1 AND a.id = ?2 AND ${isNotInTrash('a.slug')}`)
    .bind(kind, id)
    .first<RawRow>();
  return raw && fullArticleOf(raw);
}

/** An article in the trash. */
export async function findTrashedArticle({ $client }: Db, kind: ArticleKind, id: string): Promise<FullArticle | null> {
  const raw = await $client
    .prepare(`SELECT ${ARTICLE_COLUMNS} ${FROM_ARTICLES} WHERE a.kind = ?1 AND a.id = ?2 AND ${isInTrash('a.slug')}`)
    .bind(kind, id)
    .first<RawRow>();
  return raw && fullArticleOf(raw);
}

export async function findArticleById({ $client }: Db, id: string): Promise<FullArticle | null> {
  const raw = await $client
    .prepare(`SELECT ${ARTICLE_COLUMNS} ${FROM_ARTICLES} WHERE a.id = ?1`)
    .bind(id)
    .first<RawRow>();
  return raw && fullArticleOf(raw);
}

/** Ids of articles whose start or end is due, longest due first. */
export async function listDueArticles({ $client }: Db, now: number, limit: number): Promise<string[]> {
  const { results } = await $client
    .prepare(
      `SELECT article_id FROM article_schedules WHERE coalesce(starts_at, ends_at) <= ?1
ORDER BY coalesce(starts_at, ends_at) LIMIT ?2`,
    )
    .bind(now, limit)
    .all<{ article_id: string }>();
  return results.map((row) => row.article_id);
}

/** A published article by its slug; if `slug` is a former one, `movedTo` is the current one. */
export async function findPublishedArticle(
  { $client }: Db,
  kind: ArticleKind,
  slug: string,
): Promise<{ article: FullArticle } | { movedTo: string } | null> {
  const [current, former] = await $client.batch<RawRow>([
    $client
      .prepare(
        `SELECT ${ARTICLE_COLUMNS} ${FROM_ARTICLES} WHERE a.kind = ?1 AND a.slug = ?2 AND a.status = 'PUBLISHED'`,
      )
      .bind(kind, slug),
    $client
      .prepare(
        `SELECT a.slug FROM article_slugs s JOIN articles a ON a.id = s.article_id
WHERE s.kind = ?1 AND s.slug = ?2 AND a.status = 'PUBLISHED'`,
      )
      .bind(kind, slug),
  ]);
  const [row] = current?.results ?? [];
  if (row) return { article: fullArticleOf(row) };
  const [moved] = former?.results ?? [];
  return moved ? { movedTo: String(moved.slug) } : null;
}

/** Published articles of a kind with their texts, newest first, and the total. */
export const listPublishedArticles = (db: Db, kind: ArticleKind, { page, size }: { page: number; size: number }) =>
  listArticles(db, {
    kind,
    status: 'PUBLISHED',
    sort: { field: 'publishedAt', isDescending: true },
    page,
    size,
    withContent: true,
  });

export type ArticleQuery = {
  kind: ArticleKind;
  status?: (typeof articleListStatuses)[number] | undefined;
  words?: string[];
  sort: { field: ArticleSortField | 'trashedAt'; isDescending: boolean };
  page: number;
  size: number;
  withContent: boolean;
  isTrash?: boolean;
};

const SORT_COLUMNS: Record<ArticleQuery['sort']['field'], string> = {
  title: 'a.title COLLATE NOCASE',
  status: 'a.status',
  createdAt: 'a.created_at',
  updatedAt: 'a.updated_at',
  publishedAt: 'a.published_at',
  trashedAt: 'a.trashed_at',
};

/** Drafts that will be published automatically, if the list requests them. */
const SCHEDULED = `(?2 = 'SCHEDULED' AND a.status = 'DRAFT'
  AND EXISTS (SELECT 1 FROM article_schedules p WHERE p.article_id = a.id AND p.starts_at IS NOT NULL))`;

/** A page of a list, and the number of all matches. Search words match literally, not as patterns. */
export async function listArticles(
  { $client }: Db,
  query: ArticleQuery,
): Promise<{ rows: FullArticle[]; total: number }> {
  const { kind, status = '', words = [], sort, page, size, withContent, isTrash = false } = query;
  const where = `WHERE a.kind = ?1 AND ${(isTrash ? isInTrash : isNotInTrash)('a.slug')} AND (?2 IN ('', a.status) OR ${SCHEDULED})
AND NOT EXISTS (SELECT 1 FROM json_each(?3) w WHERE instr(a.search, w.value) = 0)`;
  const direction = sort.isDescending ? 'DESC' : 'ASC';
  const [rows, count] = await $client.batch<RawRow>([
    $client
      .prepare(
        `SELECT ${withContent ? ARTICLE_COLUMNS : COLUMNS_WITHOUT_CONTENT} ${FROM_ARTICLES} ${where}
ORDER BY ${SORT_COLUMNS[sort.field]} ${direction}, a.id ${direction} LIMIT ?4 OFFSET ?5`,
      )
      .bind(kind, status, JSON.stringify(words), size, (page - 1) * size),
    $client.prepare(`SELECT count(*) AS n FROM articles a ${where}`).bind(kind, status, JSON.stringify(words)),
  ]);
  return { rows: (rows?.results ?? []).map(fullArticleOf), total: Number(count?.results[0]?.n ?? 0) };
}

/** Slugs with this prefix that are in use or redirect to an article; used to choose a free one. */
export async function listSlugsWithPrefix({ $client }: Db, kind: ArticleKind, slug: string): Promise<Set<string>> {
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

/** An image from the media library. */
export async function findPicture({ $client }: Db, id: string): Promise<PictureRow | null> {
  const raw = await $client
    .prepare(`SELECT ${PICTURE_COLUMNS} FROM media m WHERE m.id = ?1 AND m.width IS NOT NULL`)
    .bind(id)
    .first<RawRow>();
  return raw && pictureOf(raw);
}

const BY_ID = `kind = ?1 AND id = ?2 AND ${isNotInTrash('slug')}`;

/**
 * Move an article to the trash. It becomes a draft without address and schedule, and leaves the public site with the
 * next build. Returns its previous status; undefined if there is no such article.
 */
export async function trashArticle({ $client }: Db, kind: ArticleKind, id: string, now: number, event: NewEvent) {
  const prepare = (sql: string, ...otherValues: unknown[]) => $client.prepare(sql).bind(kind, id, ...otherValues);
  const [previous] = await $client.batch<{ status: ArticleStatus }>([
    prepare(`SELECT status FROM articles WHERE ${BY_ID}`),
    eventStatements(
      $client,
      event,
      `SELECT id AS subject_id, json_object('slug', slug, 'status', status, 'version', version) AS before, '' AS after
FROM articles WHERE kind = ?11 AND id = ?12 AND ${isNotInTrash('slug')}`,
      [kind, id],
    ),
    prepare(
      `UPDATE site_state SET revision = revision + 1, changed_at = ?3
WHERE EXISTS (SELECT 1 FROM articles WHERE ${BY_ID} AND status = 'PUBLISHED')`,
      now,
    ),
    prepare('DELETE FROM article_drafts WHERE kind = ?1 AND article_id = ?2'),
    prepare(`DELETE FROM article_schedules WHERE article_id = (SELECT id FROM articles WHERE ${BY_ID})`),
    prepare(
      `UPDATE articles SET slug = '~' || id || '~' || slug, status = 'DRAFT', trashed_at = ?3 WHERE ${BY_ID}`,
      now,
    ),
  ]);
  return previous?.results[0];
}

/** Restore an article from the trash, as a draft at this address. `slug-taken`: another article has the address. */
export async function untrashArticle(
  { $client }: Db,
  { kind, id, slug, search }: { kind: ArticleKind; id: string; slug: string; search: string },
  event: TextEvent,
): Promise<'restored' | 'not-found' | 'slug-taken'> {
  try {
    const [restored] = await $client.batch([
      $client
        .prepare(
          `UPDATE articles SET slug = ?3, search = ?4, trashed_at = NULL
WHERE kind = ?1 AND id = ?2 AND ${isInTrash('slug')} RETURNING id`,
        )
        .bind(kind, id, slug, search),
      eventStatement($client, event),
    ]);
    return restored?.results.length ? 'restored' : 'not-found';
  } catch (cause) {
    if (/UNIQUE constraint failed: articles\.kind, articles\.slug/.test(String(cause))) return 'slug-taken';
    throw cause;
  }
}
