import type { Context } from 'hono';
import type { ArticleKind, PreviewReply, Revision } from '#shared/contracts/content/content';
import type {
  ConflictReply,
  DeletedReply,
  PageDetail,
  PostDetail,
  RevisionDetail,
} from '#shared/contracts/content/content-answers';
import { ArticleListQuery, DraftBody } from '#shared/contracts/content/content-request';
import { previewPath } from '#shared/paths';
import { type FullArticle, findArticle, findPicture, listArticles } from '#worker/data/content/articles/articles';
import { deleteDraft, findDraft, findRevision, listRevisions } from '#worker/data/content/articles/drafts';
import type { Deps, Env } from '#worker/deps';
import type { Member } from '#worker/domain/content/accounts/session';
import { keepDraft, makePreview, restoreRevision } from '#worker/domain/content/articles/drafts';
import {
  iso,
  presentDraft,
  presentItem,
  presentPicture,
  presentTrashed,
} from '#worker/domain/content/articles/present';
import { NEW, type SaveOutcome, saveArticle } from '#worker/domain/content/articles/save';
import { searchWords } from '#worker/domain/content/articles/search-words';
import { bringBack, removeArticle } from '#worker/domain/content/articles/trash';
import { deleteMediaFile } from '#worker/domain/content/media/delete';
import { requestBuild } from '#worker/domain/content/publishing/request-build';
import { memberOnly } from '#worker/http/guards/require-editor';
import { readPageBody, readPostBody, versionIn } from '#worker/http/read/article';
import { invalid, parsed, readJson } from '#worker/http/read/json';
import { queryOf } from '#worker/http/read/query';
import { apiError } from '#worker/http/reply/errors';
import { answerList } from '#worker/http/reply/page';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;
type Handle = (c: C, deps: Deps, member: Member) => Promise<Response>;

const NOUN = { post: 'Post', page: 'Page' } as const;

/** Posts and pages as their writers see them. */
export function cmsArticleRoutes(app: App, depsOf: (c: C) => Deps, kind: ArticleKind): void {
  const base = `/api/cms/${kind}s`;
  const one = `${base}/:id`;
  const on = (handle: (kind: ArticleKind, ...rest: Parameters<Handle>) => Promise<Response>) =>
    memberOnly(depsOf, (c, deps, member) => handle(kind, c, deps, member));
  route(app, base, { GET: on(list), POST: on(save) });
  route(app, one, { GET: on(getOne), PUT: on(save), DELETE: on(remove) });
  route(app, `${one}/draft`, { GET: on(getDraft), PUT: on(putDraft), DELETE: on(dropDraft) });
  route(app, `${one}/revisions`, { GET: on(getRevisions) });
  route(app, `${one}/revisions/:version`, { GET: on(getRevision) });
  route(app, `${one}/revisions/:version/restore`, { POST: on(restore) });
  route(app, `${one}/preview`, { POST: on(preview) });
  route(app, `${one}/bring-back`, { POST: on(back) });
}

const idOf = (c: C) => c.req.param('id') ?? '';
const versionOf = (c: C) => Number(c.req.param('version'));
const notFound = (c: C, kind: ArticleKind) => apiError(c, 404, 'not-found', `${NOUN[kind]} not found`);

async function list(kind: ArticleKind, c: C, deps: Deps): Promise<Response> {
  const query = parsed(c, ArticleListQuery, queryOf(c));
  if ('refusal' in query) return query.refusal;
  const { page, size, q, sort, status, view } = query.data;
  const isTrash = view === 'trash';
  const { rows, total } = await listArticles(deps.db, {
    kind,
    status,
    words: searchWords(q),
    sort: isTrash ? { field: 'trashedAt', isDescending: true } : sort,
    page,
    size,
    withContent: view === undefined,
    isTrash,
  });
  return answerList(
    c,
    rows.map((row) => (isTrash ? presentTrashed(row) : presentItem(row))),
    { total, page, size },
  );
}

async function getOne(kind: ArticleKind, c: C, deps: Deps, member: Member): Promise<Response> {
  const article = await findArticle(deps.db, kind, idOf(c));
  return article ? answer(c, deps, member, article) : notFound(c, kind);
}

async function answer(c: C, deps: Deps, { user }: Member, article: FullArticle, status: 200 | 201 = 200) {
  const draft = await findDraft(deps.db, { userId: user.id, kind: article.kind, articleId: article.id });
  c.header('etag', `"${article.version}"`);
  const detail: PostDetail | PageDetail = { ...presentItem(article), draft: draft ? presentDraft(draft) : null };
  return c.json(detail, status);
}

async function save(kind: ArticleKind, c: C, deps: Deps, member: Member): Promise<Response> {
  const id = c.req.param('id') ?? null;
  if (id !== null && !(await findArticle(deps.db, kind, id))) return notFound(c, kind);
  const body = await (kind === 'post' ? readPostBody(c, deps, member) : readPageBody(c));
  if ('refusal' in body) return body.refusal;
  const text = { ...body.text, version: id === null ? undefined : (versionIn(c) ?? body.text.version) };
  const outcome = await saveArticle(deps, member, { kind, id }, text);
  // Nothing holds the picture of a post that is refused. One that came too late is in the writer's draft.
  const isKept = outcome.kind === 'saved' || outcome.kind === 'stale';
  if (body.uploaded && !isKept) await deleteMediaFile(deps, member, body.uploaded);
  return settle(kind, c, deps, member, outcome, id === null ? 201 : 200);
}

async function settle(
  kind: ArticleKind,
  c: C,
  deps: Deps,
  member: Member,
  outcome: SaveOutcome,
  status: 200 | 201,
): Promise<Response> {
  switch (outcome.kind) {
    case 'saved':
      if (outcome.isPublic) runToCompletion(c, requestBuild(deps, 'public-article-changed'));
      return answer(c, deps, member, outcome.article, status);
    case 'not-found':
      return notFound(c, kind);
    case 'stale': {
      const current = presentItem(outcome.current);
      const more: Omit<ConflictReply, 'error'> = { current };
      return apiError(c, 409, 'conflict', 'Someone else changed this. Your text is kept.', more);
    }
    case 'slug-taken':
      return apiError(c, 409, 'conflict', 'That address is already in use.', { fields: ['slug'] });
    case 'busy':
      c.header('retry-after', '2');
      return apiError(c, 409, 'conflict', 'Others are saving this at the same moment. Please try again.');
    case 'no-such-picture':
      return invalid(c, { featuredImageId: 'This picture is not in the library any more.' });
    case 'wrong-time':
      return invalid(c, { [outcome.field]: outcome.message });
    case 'too-long':
      return apiError(c, 413, 'too-large', 'Content is too long.', { fields: ['content'] });
    case 'too-deep':
      return invalid(c, { content: 'Content is nested too deeply.' });
  }
}

async function remove(kind: ArticleKind, c: C, deps: Deps): Promise<Response> {
  const gone = await removeArticle(deps, kind, idOf(c));
  if (!gone) return notFound(c, kind);
  if (gone.status === 'PUBLISHED') runToCompletion(c, requestBuild(deps, 'public-article-changed'));
  return c.json({ id: idOf(c) } satisfies DeletedReply);
}

async function back(kind: ArticleKind, c: C, deps: Deps, member: Member): Promise<Response> {
  const article = await bringBack(deps, kind, idOf(c));
  return article ? answer(c, deps, member, article) : notFound(c, kind);
}

async function getDraft(kind: ArticleKind, c: C, deps: Deps, { user }: Member): Promise<Response> {
  const draft = await findDraft(deps.db, { userId: user.id, kind, articleId: idOf(c) });
  return draft ? c.json(presentDraft(draft)) : apiError(c, 404, 'not-found', 'Nothing is kept here.');
}

async function putDraft(kind: ArticleKind, c: C, deps: Deps, member: Member): Promise<Response> {
  const body = await readJson(c, DraftBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await keepDraft(deps, member, { kind, id: idOf(c) }, body.data);
  switch (outcome.kind) {
    case 'kept':
      return c.json(presentDraft(outcome.draft));
    case 'not-found':
      return notFound(c, kind);
    case 'too-long':
      return apiError(c, 413, 'too-large', 'Content is too long.', { fields: ['content'] });
    case 'too-deep':
      return invalid(c, { content: 'Content is nested too deeply.' });
  }
}

async function dropDraft(kind: ArticleKind, c: C, deps: Deps, { user }: Member): Promise<Response> {
  await deleteDraft(deps.db, { userId: user.id, kind, articleId: idOf(c) });
  return c.json({ id: idOf(c) } satisfies DeletedReply);
}

async function getRevisions(kind: ArticleKind, c: C, deps: Deps): Promise<Response> {
  const rows = await listRevisions(deps.db, kind, idOf(c));
  if (rows.length === 0) return notFound(c, kind);
  return c.json(rows.map(({ savedAt, ...row }): Revision => ({ ...row, savedAt: iso(savedAt) })));
}

async function getRevision(kind: ArticleKind, c: C, deps: Deps): Promise<Response> {
  const [article, row] = await Promise.all([
    findArticle(deps.db, kind, idOf(c)),
    findRevision(deps.db, idOf(c), versionOf(c)),
  ]);
  if (!article || !row) return notFound(c, kind);
  const picture = row.pictureId ? await findPicture(deps.db, row.pictureId) : null;
  const { version, title, status, slug, savedAt, savedBy, content, excerpt } = row;
  return c.json({
    version,
    title,
    status,
    slug,
    savedAt: iso(savedAt),
    savedBy,
    content,
    excerpt,
    picture: picture && presentPicture(picture),
  } satisfies RevisionDetail);
}

async function restore(kind: ArticleKind, c: C, deps: Deps, member: Member): Promise<Response> {
  const outcome = await restoreRevision(deps, member, { kind, id: idOf(c) }, versionOf(c));
  return settle(kind, c, deps, member, outcome, 200);
}

async function preview(kind: ArticleKind, c: C, deps: Deps, member: Member): Promise<Response> {
  const made = await makePreview(deps, member, { kind, id: idOf(c) });
  if (!made) return idOf(c) === NEW ? apiError(c, 404, 'not-found', 'Nothing is kept here.') : notFound(c, kind);
  const url = `${deps.settings.APP_URL}${previewPath(made.token)}`;
  return c.json({ url, endsAt: iso(made.endsAt) } satisfies PreviewReply);
}
