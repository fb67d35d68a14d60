import { env } from 'cloudflare:workers';
import * as z from 'zod/mini';
import { cutText, excerptOf } from '#shared/article/excerpt';
import { articleHtml } from '#shared/article/html';
import type { ArticleKind, Picture } from '#shared/contracts/content/content';
import type { Post } from '#shared/contracts/content/content-answers';
import { articleStatuses } from '#shared/contracts/content/content-values';
import { mediaPath } from '#shared/paths';
import { publicRowConditions } from './published.ts';

/** A published article, as read from the database. No other file of the site uses SQL. */
export type SiteArticle = Omit<Post, 'content'> & {
  kind: ArticleKind;
  /** The stored HTML. Pages use `contentOf`, lists use `beginningOf`. */
  storedHtml: string;
  /** Changes with everything that the article's own page shows. */
  cacheKey: string;
};
export type Site = {
  revision: number;
  /** Newest first. */
  posts: SiteArticle[];
  pages: SiteArticle[];
  /** The library's pictures by address. */
  pictures: ReadonlyMap<string, Picture>;
};

const Variants = z.array(z.object({ key: z.string(), width: z.number(), height: z.number() }));
const PictureRow = z.object({
  id: z.string(),
  key: z.string(),
  alt: z.string(),
  width: z.number(),
  height: z.number(),
  variants: z.string(),
});
const ArticleRow = z.object({
  id: z.string(),
  kind: z.enum(['post', 'page']),
  slug: z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)),
  title: z.string(),
  status: z.enum(articleStatuses),
  picture_id: z.nullable(z.string()),
  version: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
  published_at: z.nullable(z.number()),
  content: z.string(),
  excerpt: z.string(),
});
type ArticleRow = z.infer<typeof ArticleRow>;

/** Articles per query: all texts at once may exceed D1's limit for one result. */
const ROWS_PER_QUERY = 500;

const iso = (time: number) => new Date(time).toISOString();

let site: Promise<Site> | undefined;

/** Reads the site once per build; under the dev server, for every page. */
export function readSite(): Promise<Site> {
  if (!site || import.meta.env.DEV) site = loadSite();
  return site;
}

async function loadSite(): Promise<Site> {
  const { INSTALLATION: db } = env as unknown as { INSTALLATION: D1Database };
  // Read the revision first: an article published during the reads raises it, which triggers another build.
  const revision = (await db.prepare('SELECT revision FROM site_state').first<number>('revision')) ?? 0;
  const { byId, byUrl } = await readPictures(db);
  const articles = (await readRows(db)).map((row) => siteArticle(row, byId.get(row.picture_id ?? '') ?? null, byUrl));
  return {
    revision,
    posts: articles.filter(({ kind }) => kind === 'post'),
    pages: articles.filter(({ kind }) => kind === 'page'),
    pictures: byUrl,
  };
}

/** The HTML of an article's page, sanitized again. */
export const contentOf = async ({ kind, storedHtml }: SiteArticle): Promise<string> =>
  articleHtml(kind, storedHtml, (await readSite()).pictures);

/** Length of the longest excerpt on any page. */
const MAX_EXCERPT_LENGTH = 300;
/**
 * Cached, since a post's excerpt appears on its own page, in a list, in the feed and on the pages of two later posts.
 */
const excerptCache = new WeakMap<SiteArticle, string>();

/** The article's text in lists: its excerpt, or else the first `length` characters of its content (at most 300). */
export function beginningOf(article: SiteArticle, length: number): string {
  if (article.excerpt) return article.excerpt;
  const excerpt = excerptCache.get(article) ?? excerptOf(article.storedHtml, MAX_EXCERPT_LENGTH);
  excerptCache.set(article, excerpt);
  return cutText(excerpt, length);
}

async function readRows(db: D1Database): Promise<ArticleRow[]> {
  const rows: ArticleRow[] = [];
  for (let lastId = ''; ; ) {
    const { results } = await db
      .prepare(
        `SELECT id, kind, slug, title, status, picture_id, version, created_at, updated_at, published_at, content, excerpt
FROM articles WHERE ${publicRowConditions.articles} AND id > ?1 ORDER BY id LIMIT ?2`,
      )
      .bind(lastId, ROWS_PER_QUERY)
      .all();
    const chunk = results.map(readArticle);
    rows.push(...chunk);
    if (chunk.length < ROWS_PER_QUERY) break;
    lastId = chunk.at(-1)?.id ?? '';
  }
  const newestFirst = (a: ArticleRow, b: ArticleRow) =>
    (b.published_at ?? 0) - (a.published_at ?? 0) || (b.id > a.id ? 1 : -1);
  return rows.sort(newestFirst);
}

/** Checks a row. The error names the article, so that the log of a failed build identifies it. */
function readArticle(row: Record<string, unknown>): ArticleRow {
  const parsed = ArticleRow.safeParse(row);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new Error(`the ${row.kind} “${row.title}” cannot be built, because of its ${fields}`);
}

/** All pictures of the library, by id and by address. */
async function readPictures(db: D1Database) {
  const { results } = await db
    .prepare(`SELECT id, key, alt, width, height, variants FROM media WHERE ${publicRowConditions.media}`)
    .all();
  const byId = new Map<string, Picture>();
  const byUrl = new Map<string, Picture>();
  for (const { id, key, alt, width, height, variants } of z.array(PictureRow).parse(results)) {
    const copies = Variants.parse(JSON.parse(variants));
    const picture: Picture = {
      url: mediaPath(key),
      alt,
      width,
      height,
      variants: copies.map((copy) => ({ url: mediaPath(copy.key), width: copy.width, height: copy.height })),
    };
    byId.set(id, picture);
    byUrl.set(picture.url, picture);
  }
  return { byId, byUrl };
}

const MEDIA_PATHS = /\/media\/[\w.-]+/g;

function siteArticle(row: ArticleRow, picture: Picture | null, byUrl: ReadonlyMap<string, Picture>): SiteArticle {
  const picturesInText = (row.content.match(MEDIA_PATHS) ?? []).map((url) => byUrl.get(url) ?? url);
  return {
    id: row.id,
    kind: row.kind,
    slug: row.slug,
    title: row.title,
    status: row.status,
    version: row.version,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    publishedAt: row.published_at === null ? null : iso(row.published_at),
    picture,
    featuredImage: picture === null ? null : picture.url,
    excerpt: row.excerpt,
    storedHtml: row.content,
    cacheKey: JSON.stringify([row.id, row.version, picture, picturesInText]),
  };
}
