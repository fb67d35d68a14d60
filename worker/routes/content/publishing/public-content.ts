import type { Context } from 'hono';
import type { ArticleKind } from '#shared/contracts/content/content';
import type { PreviewedArticle } from '#shared/contracts/content/content-answers';
import { PublicListQuery } from '#shared/contracts/content/content-request';
import { type FullArticle, findPublished, listPublished } from '#worker/data/content/articles/articles';
import type { Deps, Env } from '#worker/deps';
import { readPreview } from '#worker/domain/content/articles/drafts';
import { iso, presentPage, presentPost } from '#worker/domain/content/articles/present';
import { parsed } from '#worker/http/read/json';
import { queryOf } from '#worker/http/read/query';
import { apiError } from '#worker/http/reply/errors';
import { answerList } from '#worker/http/reply/page';
import { readOr } from '#worker/http/reply/read-or';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

const MISSING = { post: 'Post not found', page: 'Page not found' } as const;
const FAILED = {
  post: { list: 'Failed to fetch posts', one: 'Failed to fetch post' },
  page: { list: 'Failed to fetch pages', one: 'Failed to fetch page' },
} as const;
const present = { post: presentPost, page: presentPage };

/** Published articles, for everyone. Drafts are not even looked up. */
export function publicContentRoutes(app: App, depsOf: (c: C) => Deps): void {
  const orFailed = (message: string, read: (c: C, deps: Deps) => Promise<Response>) => (c: C) =>
    readOr(
      depsOf(c),
      () => read(c, depsOf(c)),
      () => apiError(c, 500, 'internal', message),
    );
  for (const kind of ['post', 'page'] as const) {
    route(app, `/api/public/${kind}s`, { GET: orFailed(FAILED[kind].list, (c, deps) => list(kind, c, deps)) });
    route(app, `/api/public/${kind}s/:slug`, { GET: orFailed(FAILED[kind].one, (c, deps) => getOne(kind, c, deps)) });
  }
  route(app, '/api/public/preview/:token', { GET: (c) => getPreview(c, depsOf(c)) });
}

async function list(kind: ArticleKind, c: C, deps: Deps): Promise<Response> {
  const query = parsed(c, PublicListQuery, queryOf(c));
  if ('refusal' in query) return query.refusal;
  const { page, size } = query.data;
  const { rows, total } = await listPublished(deps.db, kind, { page, size });
  return answerList(
    c,
    rows.map((row: FullArticle) => present[kind](row)),
    { total, page, size },
  );
}

async function getOne(kind: ArticleKind, c: C, deps: Deps): Promise<Response> {
  const found = await findPublished(deps.db, kind, c.req.param('slug') ?? '');
  if (!found) return apiError(c, 404, 'not-found', MISSING[kind]);
  if ('movedTo' in found) return c.redirect(`/api/public/${kind}s/${found.movedTo}`, 301);
  return c.json(present[kind](found.article));
}

async function getPreview(c: C, deps: Deps): Promise<Response> {
  const found = await readPreview(deps, c.req.param('token') ?? '');
  c.header('x-robots-tag', 'noindex');
  c.header('referrer-policy', 'no-referrer');
  if (!found) return apiError(c, 404, 'not-found', 'This preview is over. Please ask for a new link.');
  const { article } = found;
  const endsAt = iso(found.endsAt);
  const shown: PreviewedArticle =
    article.kind === 'post'
      ? { kind: 'post', ...presentPost(article), endsAt }
      : { kind: 'page', ...presentPage(article), endsAt };
  return c.json(shown);
}
