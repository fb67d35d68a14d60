import { fillShell, viewArticle } from '#shared/article/article-page';
import { showsArticle } from '#shared/article/article-version';
import { BLOG_EXCERPT, excerptOf } from '#shared/article/excerpt';
import { articleHtml } from '#shared/article/html';
import type { ArticleKind } from '#shared/contracts/content/content';
import { articlePath } from '#shared/paths';
import { type FullArticle, findPublishedArticle } from '#worker/data/content/articles/articles';
import { findPicturesOf } from '#worker/data/content/media/media';
import type { Deps } from '#worker/deps';
import { readPreview } from '#worker/domain/content/articles/drafts';
import { presentPage, presentPicture, presentPost } from '#worker/domain/content/articles/present';
import { readOrReply } from '#worker/http/reply/errors';
import { builtPage, sendBuiltPage } from '#worker/http/reply/page-template';
import { type C, htmlPage, noBody, type PublicRequest, type Routes, route } from '#worker/http/routes';

const SHELLS = { post: '/app/post', page: '/app/page' } as const;
const NOT_FOUND_PAGES = { post: '/app/no-post', page: '/404' } as const;
const FAILURE_PAGES = { post: '/app/post-failed', page: '/app/page-failed' } as const;

/**
 * Routes for the addresses of articles. The database decides what is sent: the built file only if it shows the article
 * as last saved. Otherwise, the article is rendered into the built shell, so a build that began before a save never
 * replaces it. A moved article redirects, and any other address returns 404.
 */
export const publicPageRoutes: Routes = {
  ...articlePages('post'),
  ...articlePages('page'),
  'GET /preview/:token': route({
    access: 'holder of a preview link',
    summary: 'Open a preview of a post or page',
    answers: { 200: htmlPage, 404: htmlPage },
    handle: getPreview,
  }),
};

function articlePages(kind: ArticleKind): Routes {
  const answers = { 200: htmlPage, 301: noBody, 404: htmlPage, 503: htmlPage } as const;
  return {
    [`GET ${articlePath(kind, ':slug')}`]: route({
      access: 'anyone',
      summary: `Open a published ${kind}`,
      answers,
      handle: ({ c, deps }) =>
        readOrReply(
          deps,
          () => getArticle(kind, c, deps),
          () => sendBuiltFileOr(c, () => failurePage(kind, c)),
        ),
    }),
    [`GET ${articlePath(kind, ':slug')}/`]: route({
      access: 'anyone',
      summary: `Redirect to a ${kind} without the trailing slash`,
      answers: { 307: noBody },
      // This redirect is like that of the built files.
      handle: ({ c }) => c.redirect(new URL(c.req.url).pathname.slice(0, -1), 307),
    }),
    [`GET ${articlePath(kind, '*')}`]: route({
      access: 'anyone',
      summary: `Show the not-found page for an unknown ${kind}`,
      answers,
      handle: ({ c }) => sendBuiltFileOr(c, () => missingPage(kind, c)),
    }),
  };
}

/** Sends the built file at this address, for example a list page. If there is none, sends the result of `fallback`. */
async function sendBuiltFileOr(c: C, fallback: () => Promise<Response>): Promise<Response> {
  const built = await builtPage(c, c.req.path);
  return built.ok ? sendFile(c, built, built.body) : fallback();
}

/** Sends a built file, or 304 to a browser that already has it, as the platform does for files. */
function sendFile(c: C, { headers }: Response, body: ReadableStream | string | null): Response {
  const etag = headers.get('etag');
  const isKnown =
    etag !== null && parseEtags(c.req.header('if-none-match') ?? '').includes(parseEtags(etag)[0] ?? etag);
  const { 'content-length': _length, ...otherHeaders } = Object.fromEntries(headers);
  return isKnown ? c.body(null, 304, otherHeaders) : c.newResponse(body, 200, otherHeaders);
}

const parseEtags = (tags: string): string[] => tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''));

const missingPage = (kind: ArticleKind, c: C) => sendBuiltPage(c, NOT_FOUND_PAGES[kind], { status: 404 });

function failurePage(kind: ArticleKind, c: C): Promise<Response> {
  c.header('retry-after', '60');
  return sendBuiltPage(c, FAILURE_PAGES[kind], { status: 503, headers: { 'cache-control': 'no-store' } });
}

async function getArticle(kind: ArticleKind, c: C, deps: Deps): Promise<Response> {
  const result = await findPublishedArticle(deps.db, kind, c.req.param('slug') ?? '');
  if (!result) return missingPage(kind, c);
  if ('movedTo' in result) return c.redirect(articlePath(kind, result.movedTo), 301);
  const built = await builtPage(c, c.req.path);
  const html = built.ok ? await built.text() : '';
  const isCurrent = showsArticle(html, { ...result.article, summary: summaryOf(result.article) });
  return isCurrent ? sendFile(c, built, html) : renderArticle(c, deps, result.article, {});
}

async function getPreview({ c, deps }: PublicRequest): Promise<Response> {
  const preview = await readPreview(deps, c.req.param('token') ?? '');
  const headers = { 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' };
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return preview
    ? renderArticle(c, deps, preview.article, headers, PREVIEW_BANNER)
    : sendBuiltPage(c, '/app/no-preview', { status: 404 });
}

/** A preview looks like the page; only this banner tells readers that it may not be on the site. */
const PREVIEW_BANNER = '<p class="preview-mark" role="status">Preview: this text may not be on the site yet.</p>';

const summaryOf = ({ excerpt, content }: FullArticle): string => excerpt || excerptOf(content, BLOG_EXCERPT);

/** Fills the built shell with the article; `banner` is HTML placed before its text. */
async function renderArticle(
  c: C,
  deps: Deps,
  article: FullArticle,
  extraHeaders: Record<string, string>,
  banner = '',
): Promise<Response> {
  const pictures = (await findPicturesOf(deps.db, article.content)).map(presentPicture);
  const byUrl = new Map(pictures.map((picture) => [picture.url, picture]));
  const view = viewArticle(article.kind, article.kind === 'post' ? presentPost(article) : presentPage(article), {
    origin: new URL(deps.settings.APP_URL).origin,
    summary: summaryOf(article),
    content: banner + articleHtml(article.kind, article.content, byUrl),
  });
  const shell = await builtPage(c, SHELLS[article.kind]);
  if (!shell.ok) throw new Error(`no shell for a ${article.kind}: ${shell.status}`);
  const { etag: _etag, 'content-length': _length, ...headers } = Object.fromEntries(shell.headers);
  return c.body(fillShell(await shell.text(), view), 200, { ...headers, 'cache-control': 'no-store', ...extraHeaders });
}
