import type { Context, MiddlewareHandler } from 'hono';
import { fillShell, viewArticle } from '#shared/article/article-page';
import type { ArticleKind } from '#shared/contracts/content/content';
import { articlePath } from '#shared/paths';
import { type FullArticle, findPublished } from '#worker/data/content/articles/articles';
import { findPicturesOf } from '#worker/data/content/media/media';
import type { Deps, Env } from '#worker/deps';
import { readPreview } from '#worker/domain/content/articles/drafts';
import { presentPage, presentPicture, presentPost } from '#worker/domain/content/articles/present';
import { builtPage, isDevServer, sendBuiltPage } from '#worker/http/reply/page-template';
import { readOr } from '#worker/http/reply/read-or';
import { type App, route, routeOne } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

const SHELLS = { post: '/app/post', page: '/app/page' } as const;
const MISSING = { post: '/app/no-post', page: '/404' } as const;
const FAILED = { post: '/app/post-failed', page: '/app/page-failed' } as const;

/**
 * Public addresses for which the built site has no file (yet). A newly published article is rendered from the database
 * into the built shell, one that moved redirects, anything else is 404.
 */
export function publicPageRoutes(app: App, depsOf: (c: C) => Deps): void {
  for (const kind of ['post', 'page'] as const) {
    routeOne(app, 'GET', articlePath(kind, '*'), asBuilt);
    route(app, articlePath(kind, ':slug'), {
      GET: (c) =>
        readOr(
          depsOf(c),
          () => getArticle(kind, c, depsOf(c)),
          () => failed(kind, c),
        ),
    });
    // Redirect like the built files.
    routeOne(app, 'GET', `${articlePath(kind, ':slug')}/`, (c) =>
      c.redirect(new URL(c.req.url).pathname.slice(0, -1), 307),
    );
    routeOne(app, 'GET', articlePath(kind, '*'), (c) => missing(kind, c));
  }
  route(app, '/preview/:token', { GET: (c) => getPreview(c, depsOf(c)) });
}

/** In production a built file is served before the Worker runs; on the dev server we must try its rendering first. */
const asBuilt: MiddlewareHandler<{ Bindings: Env }> = async (c, next) => {
  const page = isDevServer() ? await builtPage(c, c.req.path) : null;
  return page?.ok ? page : next();
};

const missing = (kind: ArticleKind, c: C) => sendBuiltPage(c, MISSING[kind], { status: 404 });

function failed(kind: ArticleKind, c: C): Promise<Response> {
  c.header('retry-after', '60');
  return sendBuiltPage(c, FAILED[kind], { status: 503, headers: { 'cache-control': 'no-store' } });
}

async function getArticle(kind: ArticleKind, c: C, deps: Deps): Promise<Response> {
  const found = await findPublished(deps.db, kind, c.req.param('slug') ?? '');
  if (!found) return missing(kind, c);
  if ('movedTo' in found) return c.redirect(articlePath(kind, found.movedTo), 301);
  return filled(c, deps, found.article, {});
}

async function getPreview(c: C, deps: Deps): Promise<Response> {
  const found = await readPreview(deps, c.req.param('token') ?? '');
  const headers = { 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' };
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return found ? filled(c, deps, found.article, headers) : sendBuiltPage(c, '/app/no-preview', { status: 404 });
}

/** The built shell with the article in it. */
async function filled(c: C, deps: Deps, article: FullArticle, more: Record<string, string>): Promise<Response> {
  // Loaded here: the HTML parser is larger than the rest of this area.
  const [{ articleHtml }, { BLOG_EXCERPT, excerptOf }] = await Promise.all([
    import('#shared/article/html'),
    import('#shared/article/excerpt'),
  ]);
  const pictures = (await findPicturesOf(deps.db, article.content)).map(presentPicture);
  const byUrl = new Map(pictures.map((picture) => [picture.url, picture]));
  const view = viewArticle(article.kind, article.kind === 'post' ? presentPost(article) : presentPage(article), {
    origin: new URL(deps.settings.APP_URL).origin,
    summary: article.excerpt || excerptOf(article.content, BLOG_EXCERPT),
    content: articleHtml(article.kind, article.content, byUrl),
  });
  const shell = await builtPage(c, SHELLS[article.kind]);
  if (!shell.ok) throw new Error(`no shell for a ${article.kind}: ${shell.status}`);
  const { etag: _etag, 'content-length': _length, ...headers } = Object.fromEntries(shell.headers);
  return c.body(fillShell(await shell.text(), view), 200, { ...headers, 'cache-control': 'no-store', ...more });
}
