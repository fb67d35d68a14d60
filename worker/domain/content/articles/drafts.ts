import { cleanHtml } from '#shared/article/clean-html';
import type { ArticleKind } from '#shared/contracts/content/content';
import { type FullArticle, findArticle, findPicture } from '#worker/data/content/articles/articles';
import { type DraftRow, findDraft, findRevision, saveDraft } from '#worker/data/content/articles/save';
import type { Deps } from '#worker/deps';
import type { Member } from '#worker/domain/content/accounts/session';
import { NEW_ID, type SaveOutcome, saveArticle } from './save.ts';

type ArticleKey = { kind: ArticleKind; id: string };

export type DraftOutcome =
  | { kind: 'kept'; draft: DraftRow }
  | { kind: 'not-found' }
  | { kind: 'too-long' }
  | { kind: 'too-deep' };

/** Saves a writer's draft. Other users do not see it, and it is never published. */
export async function saveOwnDraft(
  deps: Deps,
  { user }: Member,
  { kind, id }: ArticleKey,
  text: {
    title: string;
    content: string;
    excerpt: string;
    slug: string;
    baseVersion: number;
    featuredImageId?: string | null;
  },
): Promise<DraftOutcome> {
  if (id !== NEW_ID && !(await findArticle(deps.db, kind, id))) return { kind: 'not-found' };
  const cleaned = cleanHtml(text.content);
  if (cleaned.kind !== 'clean') return cleaned;
  const { title, excerpt, slug, baseVersion, featuredImageId: pictureId = null } = text;
  const key = { userId: user.id, kind, articleId: id };
  const draft = { ...key, title, slug, baseVersion, savedAt: deps.now(), content: cleaned.html, pictureId, excerpt };
  await saveDraft(deps.db, draft);
  return { kind: 'kept', draft };
}

/** Saves an earlier revision as the newest version. Address and status stay as they are now. */
export async function restoreRevision(
  deps: Deps,
  member: Member,
  { kind, id }: ArticleKey,
  version: number,
): Promise<SaveOutcome> {
  const [current, oldRevision] = await Promise.all([
    findArticle(deps.db, kind, id),
    findRevision(deps.db, id, version),
  ]);
  if (!current || !oldRevision) return { kind: 'not-found' };
  const pictureId = oldRevision.pictureId;
  const text = {
    title: oldRevision.title,
    content: oldRevision.content,
    excerpt: oldRevision.excerpt,
    status: current.status,
    restored: version,
  };
  const outcome = await saveArticle(deps, member, { kind, id }, { ...text, pictureId });
  // The picture may have been deleted in the meantime.
  return outcome.kind === 'no-such-picture' ? saveArticle(deps, member, { kind, id }, text) : outcome;
}

export type Preview = { article: FullArticle; endsAt: number };

const PREVIEW_MS = 3_600_000;

/**
 * Creates a link to the caller's own draft, or else to the saved text, for anyone who has it. Null if neither exists.
 */
export async function makePreview(
  deps: Deps,
  { user }: Member,
  { kind, id }: ArticleKey,
): Promise<{ token: string; endsAt: number } | null> {
  const sourceText =
    id === NEW_ID
      ? await findDraft(deps.db, { userId: user.id, kind, articleId: id })
      : await findArticle(deps.db, kind, id);
  if (!sourceText) return null;
  const now = deps.now();
  const token = await deps.signed.preview.issue({ id, subject: user.id, more: { kind } }, now);
  return { token, endsAt: now + PREVIEW_MS };
}

/** The article that a preview link shows now. Null if the link has expired or the article no longer exists. */
export async function readPreview(deps: Deps, token: string): Promise<Preview | null> {
  const claims = await deps.signed.preview.read(token, deps.now());
  if (!claims) return null;
  const kind = claims.more.kind === 'page' ? 'page' : 'post';
  const [draft, saved] = await Promise.all([
    findDraft(deps.db, { userId: claims.subject, kind, articleId: claims.id }),
    claims.id === NEW_ID ? null : findArticle(deps.db, kind, claims.id),
  ]);
  if (!saved && !(draft && claims.id === NEW_ID)) return null;
  const base: FullArticle = saved ?? {
    ...EMPTY_ARTICLE,
    kind,
    createdAt: draft?.savedAt ?? 0,
    updatedAt: draft?.savedAt ?? 0,
  };
  const { title, content, excerpt, slug } = draft ?? base;
  const picture = draft?.pictureId == null ? base.picture : await findPicture(deps.db, draft.pictureId);
  return { article: { ...base, title, content, excerpt, picture, slug: slug || base.slug }, endsAt: claims.endsAt };
}

const EMPTY_ARTICLE: Omit<FullArticle, 'kind'> = {
  id: NEW_ID,
  slug: '',
  title: '',
  status: 'DRAFT',
  pictureId: null,
  version: 0,
  revision: 0,
  saveId: '',
  createdAt: 0,
  updatedAt: 0,
  publishedAt: null,
  updatedBy: '',
  search: '',
  content: '',
  excerpt: '',
  trashedAt: null,
  picture: null,
  startsAt: null,
  endsAt: null,
};
