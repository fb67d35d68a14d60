import * as z from 'zod/mini';
import { Article, type ArticleKind } from '#shared/contracts/content/content';
import { Post, PreviewedArticle } from '#shared/contracts/content/content-answers';
import { PublicListQuery } from '#shared/contracts/content/content-request';
import { type FullArticle, findPublishedArticle, listPublishedArticles } from '#worker/data/content/articles/articles';
import { readPreview } from '#worker/domain/content/articles/drafts';
import { iso, presentPage, presentPost } from '#worker/domain/content/articles/present';
import { apiError, readOrReply } from '#worker/http/reply/errors';
import { sendPage } from '#worker/http/reply/list';
import { type C, noBody, type PublicRequest, type Routes, route } from '#worker/http/routes';

const NOT_FOUND_TEXTS = { post: 'Post not found', page: 'Page not found' } as const;
const FAILURE_TEXTS = {
  post: { list: 'Failed to fetch posts', one: 'Failed to fetch post' },
  page: { list: 'Failed to fetch pages', one: 'Failed to fetch page' },
} as const;
const presenters = { post: presentPost, page: presentPage };

/** Public routes for published articles. Drafts are never queried. */
export const publicContentRoutes: Routes = {
  ...articleRoutes('post', Post),
  ...articleRoutes('page', Article),
  'GET /api/public/preview/:token': route({
    access: 'holder of a preview link',
    summary: 'Show a preview of a post or page',
    answers: { 200: PreviewedArticle },
    handle: getPreview,
  }),
};

function articleRoutes(kind: ArticleKind, article: z.ZodMiniType): Routes {
  const failureReply = (c: C, message: string) => apiError(c, 500, 'internal', message);
  return {
    [`GET /api/public/${kind}s`]: route({
      access: 'anyone',
      summary: `List published ${kind}s`,
      query: PublicListQuery,
      isList: true,
      answers: { 200: z.array(article) },
      handle: (request) =>
        readOrReply(
          request.deps,
          () => getList(kind, request),
          () => failureReply(request.c, FAILURE_TEXTS[kind].list),
        ),
    }),
    [`GET /api/public/${kind}s/:slug`]: route({
      access: 'anyone',
      summary: `Show a published ${kind}`,
      answers: { 200: article, 301: noBody },
      handle: (request) =>
        readOrReply(
          request.deps,
          () => getOne(kind, request),
          () => failureReply(request.c, FAILURE_TEXTS[kind].one),
        ),
    }),
  };
}

async function getList(
  kind: ArticleKind,
  { c, deps, query: { page, size } }: PublicRequest<unknown, typeof PublicListQuery>,
): Promise<Response> {
  const { rows, total } = await listPublishedArticles(deps.db, kind, { page, size });
  return sendPage(
    c,
    rows.map((row: FullArticle) => presenters[kind](row)),
    { total, page, size },
  );
}

async function getOne(kind: ArticleKind, { c, deps }: PublicRequest): Promise<Response> {
  const result = await findPublishedArticle(deps.db, kind, c.req.param('slug') ?? '');
  if (!result) return apiError(c, 404, 'not-found', NOT_FOUND_TEXTS[kind]);
  if ('movedTo' in result) return c.redirect(`/api/public/${kind}s/${result.movedTo}`, 301);
  return c.json(presenters[kind](result.article));
}

async function getPreview({ c, deps }: PublicRequest): Promise<Response> {
  const result = await readPreview(deps, c.req.param('token') ?? '');
  c.header('x-robots-tag', 'noindex');
  c.header('referrer-policy', 'no-referrer');
  if (!result) return apiError(c, 404, 'not-found', 'This preview has expired. Please ask for a new link.');
  const { article } = result;
  const endsAt = iso(result.endsAt);
  const preview: PreviewedArticle =
    article.kind === 'post'
      ? { kind: 'post', ...presentPost(article), endsAt }
      : { kind: 'page', ...presentPage(article), endsAt };
  return c.json(preview);
}
