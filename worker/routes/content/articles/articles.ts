import * as z from 'zod/mini';
import { type ArticleKind, Draft, PreviewReply, Revision, Trashed } from '#shared/contracts/content/content';
import {
  Conflict,
  type ConflictReply,
  DeletedReply,
  PageDetail,
  PageItem,
  PostDetail,
  PostItem,
  RevisionDetail,
} from '#shared/contracts/content/content-answers';
import { ArticleBody, ArticleListQuery, DraftBody } from '#shared/contracts/content/content-request';
import { previewPath } from '#shared/paths';
import { type FullArticle, findArticle, findPicture, listArticles } from '#worker/data/content/articles/articles';
import { deleteDraft, findDraft, findRevision, listRevisions } from '#worker/data/content/articles/save';
import type { Deps } from '#worker/deps';
import type { Member } from '#worker/domain/content/accounts/session';
import { makePreview, restoreRevision, saveOwnDraft } from '#worker/domain/content/articles/drafts';
import {
  iso,
  presentDraft,
  presentItem,
  presentPicture,
  presentTrashed,
} from '#worker/domain/content/articles/present';
import { NEW_ID, type SaveOutcome, saveArticle, searchWords } from '#worker/domain/content/articles/save';
import { removeArticle, restoreArticle } from '#worker/domain/content/articles/trash';
import { deleteMediaFile } from '#worker/domain/content/media/media-file';
import { requestBuild } from '#worker/domain/content/publishing/build';
import { ifMatchVersionOf, readPageBody, readPostBody } from '#worker/http/read/article';
import { refuseInvalid } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { sendPage } from '#worker/http/reply/list';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, type Form, type MemberRequest, type ReadByHandler, type Routes, route } from '#worker/http/routes';

const KIND_NAMES = { post: 'Post', page: 'Page' } as const;

/** The schemas of one kind of article, and of the body that saves it. */
type ArticleSchemas = { item: z.ZodMiniType; detail: z.ZodMiniType; body: Form | ReadByHandler };

/** Returns the routes for editing posts or pages. */
function articleRoutes(kind: ArticleKind, { item, detail, body }: ArticleSchemas): Routes {
  const base = `/api/cms/${kind}s` as const;
  const saveOptions = { body, errors: [404, 409, 429], errorFields: { 409: Conflict } } as const;
  return {
    [`GET ${base}`]: route({
      access: 'editor',
      summary: `List ${kind}s`,
      query: ArticleListQuery,
      isList: true,
      answers: { 200: [z.array(item), z.array(Trashed)] },
      handle: (request) => getList(kind, request),
    }),
    [`POST ${base}`]: route({
      access: 'editor',
      summary: `Create a ${kind}`,
      ...saveOptions,
      answers: { 201: detail },
      handle: (request) => save(kind, request),
    }),
    [`GET ${base}/:id`]: route({
      access: 'editor',
      summary: `Show a ${kind}`,
      answers: { 200: detail },
      handle: (request) => getOne(kind, request),
    }),
    [`PUT ${base}/:id`]: route({
      access: 'editor',
      summary: `Update a ${kind}`,
      ...saveOptions,
      answers: { 200: detail },
      handle: (request) => save(kind, request),
    }),
    [`DELETE ${base}/:id`]: route({
      access: 'editor',
      summary: `Move a ${kind} to the trash`,
      answers: { 200: DeletedReply },
      handle: (request) => remove(kind, request),
    }),
    [`GET ${base}/:id/draft`]: route({
      access: 'editor',
      summary: `Show your draft of a ${kind}`,
      answers: { 200: Draft },
      handle: (request) => getDraft(kind, request),
    }),
    [`PUT ${base}/:id/draft`]: route({
      access: 'editor',
      summary: `Save your draft of a ${kind}`,
      body: DraftBody,
      answers: { 200: Draft },
      handle: (request) => putDraft(kind, request),
    }),
    [`DELETE ${base}/:id/draft`]: route({
      access: 'editor',
      summary: `Discard your draft of a ${kind}`,
      answers: { 200: DeletedReply },
      handle: (request) => dropDraft(kind, request),
    }),
    [`GET ${base}/:id/revisions`]: route({
      access: 'editor',
      summary: `List the revisions of a ${kind}`,
      answers: { 200: z.array(Revision) },
      handle: (request) => getRevisions(kind, request),
    }),
    [`GET ${base}/:id/revisions/:version`]: route({
      access: 'editor',
      summary: `Show a revision of a ${kind}`,
      answers: { 200: RevisionDetail },
      handle: (request) => getRevision(kind, request),
    }),
    [`POST ${base}/:id/revisions/:version/restore`]: route({
      access: 'editor',
      summary: `Restore a revision of a ${kind}`,
      answers: { 200: detail },
      errors: [409, 422],
      errorFields: { 409: Conflict },
      handle: (request) => restore(kind, request),
    }),
    [`POST ${base}/:id/preview`]: route({
      access: 'editor',
      summary: `Create a preview link for a ${kind}`,
      answers: { 200: PreviewReply },
      handle: (request) => postPreview(kind, request),
    }),
    [`POST ${base}/:id/bring-back`]: route({
      access: 'editor',
      summary: `Restore a ${kind} from the trash`,
      answers: { 200: detail },
      handle: (request) => restoreFromTrash(kind, request),
    }),
  };
}

export const postRoutes = articleRoutes('post', {
  item: PostItem,
  detail: PostDetail,
  body: { form: ArticleBody, files: { featuredImage: 'one', featuredImageVariants: 'several' } },
});
export const pageRoutes = articleRoutes('page', {
  item: PageItem,
  detail: PageDetail,
  body: { readByHandler: ArticleBody },
});

const idOf = (c: C) => c.req.param('id') ?? '';
const versionOf = (c: C) => Number(c.req.param('version'));
const notFound = (c: C, kind: ArticleKind) => apiError(c, 404, 'not-found', `${KIND_NAMES[kind]} not found`);

async function getList(
  kind: ArticleKind,
  { c, deps, query }: MemberRequest<unknown, typeof ArticleListQuery>,
): Promise<Response> {
  const { page, size, q, sort, status, view } = query;
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
  return sendPage(
    c,
    rows.map((row) => (isTrash ? presentTrashed(row) : presentItem(row))),
    { total, page, size },
  );
}

async function getOne(kind: ArticleKind, { c, deps, member }: MemberRequest): Promise<Response> {
  const article = await findArticle(deps.db, kind, idOf(c));
  return article ? sendArticle(c, deps, member, article) : notFound(c, kind);
}

async function sendArticle(c: C, deps: Deps, { user }: Member, article: FullArticle, status: 200 | 201 = 200) {
  const draft = await findDraft(deps.db, { userId: user.id, kind: article.kind, articleId: article.id });
  c.header('etag', `"${article.version}"`);
  const detail: PostDetail | PageDetail = { ...presentItem(article), draft: draft ? presentDraft(draft) : null };
  return c.json(detail, status);
}

async function save(kind: ArticleKind, { c, deps, member }: MemberRequest): Promise<Response> {
  const id = c.req.param('id') ?? null;
  if (id !== null && !(await findArticle(deps.db, kind, id))) return notFound(c, kind);
  const body = await (kind === 'post' ? readPostBody(c, deps, member) : readPageBody(c));
  if ('refusal' in body) return body.refusal;
  const text = { ...body.text, version: id === null ? undefined : (ifMatchVersionOf(c) ?? body.text.version) };
  const outcome = await saveArticle(deps, member, { kind, id }, text);
  // Delete the picture of a refused post, since nothing references it. After a stale save, the draft references it.
  const isInUse = outcome.kind === 'saved' || outcome.kind === 'stale';
  if (body.uploadedId && !isInUse) await deleteMediaFile(deps, member, body.uploadedId);
  return answerSave(kind, c, deps, member, outcome, id === null ? 201 : 200);
}

async function answerSave(
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
      return sendArticle(c, deps, member, outcome.article, status);
    case 'not-found':
      return notFound(c, kind);
    case 'stale': {
      const current = presentItem(outcome.current);
      const extra: Omit<ConflictReply, 'error'> = { current };
      return apiError(c, 409, 'conflict', 'Someone else changed this. Your text is kept.', extra);
    }
    case 'slug-taken':
      return apiError(c, 409, 'conflict', 'That address is already in use.', { fields: ['slug'] });
    case 'busy':
      c.header('retry-after', '2');
      return apiError(c, 409, 'conflict', 'Others are saving this at the same moment. Please try again.');
    case 'no-such-picture':
      return refuseInvalid(c, { featuredImageId: 'This image is no longer in the library.' });
    case 'wrong-time':
      return refuseInvalid(c, { [outcome.field]: outcome.message });
    case 'too-long':
      return apiError(c, 413, 'too-large', 'Content is too long.', { fields: ['content'] });
    case 'too-deep':
      return refuseInvalid(c, { content: 'Content is nested too deeply.' });
  }
}

async function remove(kind: ArticleKind, { c, deps }: MemberRequest): Promise<Response> {
  const removed = await removeArticle(deps, kind, idOf(c));
  if (!removed) return notFound(c, kind);
  if (removed.status === 'PUBLISHED') runToCompletion(c, requestBuild(deps, 'public-article-changed'));
  return c.json({ id: idOf(c) } satisfies DeletedReply);
}

async function restoreFromTrash(kind: ArticleKind, { c, deps, member }: MemberRequest): Promise<Response> {
  const article = await restoreArticle(deps, kind, idOf(c));
  return article ? sendArticle(c, deps, member, article) : notFound(c, kind);
}

async function getDraft(kind: ArticleKind, { c, deps, member: { user } }: MemberRequest): Promise<Response> {
  const draft = await findDraft(deps.db, { userId: user.id, kind, articleId: idOf(c) });
  return draft ? c.json(presentDraft(draft)) : apiError(c, 404, 'not-found', 'Nothing is saved here.');
}

async function putDraft(
  kind: ArticleKind,
  { c, deps, member, body }: MemberRequest<typeof DraftBody>,
): Promise<Response> {
  const outcome = await saveOwnDraft(deps, member, { kind, id: idOf(c) }, body);
  switch (outcome.kind) {
    case 'kept':
      return c.json(presentDraft(outcome.draft));
    case 'not-found':
      return notFound(c, kind);
    case 'too-long':
      return apiError(c, 413, 'too-large', 'Content is too long.', { fields: ['content'] });
    case 'too-deep':
      return refuseInvalid(c, { content: 'Content is nested too deeply.' });
  }
}

async function dropDraft(kind: ArticleKind, { c, deps, member: { user } }: MemberRequest): Promise<Response> {
  await deleteDraft(deps.db, { userId: user.id, kind, articleId: idOf(c) });
  return c.json({ id: idOf(c) } satisfies DeletedReply);
}

async function getRevisions(kind: ArticleKind, { c, deps }: MemberRequest): Promise<Response> {
  const rows = await listRevisions(deps.db, kind, idOf(c));
  if (rows.length === 0) return notFound(c, kind);
  return c.json(rows.map(({ savedAt, ...row }): Revision => ({ ...row, savedAt: iso(savedAt) })));
}

async function getRevision(kind: ArticleKind, { c, deps }: MemberRequest): Promise<Response> {
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

async function restore(kind: ArticleKind, { c, deps, member }: MemberRequest): Promise<Response> {
  const outcome = await restoreRevision(deps, member, { kind, id: idOf(c) }, versionOf(c));
  return answerSave(kind, c, deps, member, outcome, 200);
}

async function postPreview(kind: ArticleKind, { c, deps, member }: MemberRequest): Promise<Response> {
  const link = await makePreview(deps, member, { kind, id: idOf(c) });
  if (!link) return idOf(c) === NEW_ID ? apiError(c, 404, 'not-found', 'Nothing is saved here.') : notFound(c, kind);
  const url = `${deps.settings.APP_URL}${previewPath(link.token)}`;
  return c.json({ url, endsAt: iso(link.endsAt) } satisfies PreviewReply);
}
