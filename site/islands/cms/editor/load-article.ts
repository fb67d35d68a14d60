import type { ArticleKind, ArticleStatus, Draft } from '#shared/contracts/content/content';
import type { ArticleBody } from '#shared/contracts/content/content-request';
import { sendJson } from '#site/islands/ui/api/api-client.ts';
import type { ClientError } from '#site/islands/ui/api/parse-response.ts';
import { type ArticleDetail, call, readDetail, readDraft } from '../api.ts';
import { readMedia } from '../media/api.ts';
import { findDrafts, type Leftover } from './leftover-drafts.ts';
import { type DraftPlace, getTabName, heldLocks, type LocalDraft, type StoredDraft } from './local-draft.ts';
import type { Times } from './panels/ScheduleFields.tsx';
import type { PickedPicture } from './text/PictureDialog.tsx';
import type { DraftText } from './use-draft.ts';

export const NEW_ARTICLE_ID = 'new';

/** The unsaved choice of a featured image; `removed`: no image. */
export type FeaturedPicture = { kind: 'as-saved' } | { kind: 'removed' } | { kind: 'chosen'; picture: PickedPicture };

export type LoadedArticle = {
  /** The saved article; null before the first save. */
  article: ArticleDetail | null;
  /** Unsaved text to continue with. */
  draft: StoredDraft | null;
  /** Further unsaved text that is not open in any tab. */
  leftovers: Leftover[];
  featured: FeaturedPicture;
  tab: string;
};
type LoadResult<T> = { ok: true; value: T } | { ok: false; error: ClientError };

export async function loadArticle(place: DraftPlace): Promise<LoadResult<LoadedArticle>> {
  const saved = await loadSaved(place);
  if (!saved.ok) return saved;
  const { article, serverDraft } = saved.value;
  const tab = await getTabName();
  const { draft, leftovers } = findDrafts({ ...place, tab }, await heldLocks(), article, serverDraft);
  return { ok: true, value: { article, draft, leftovers, featured: await loadFeatured(draft), tab } };
}

async function loadSaved({
  kind,
  id,
}: DraftPlace): Promise<LoadResult<{ article: ArticleDetail | null; serverDraft: Draft | null }>> {
  const path = `/api/cms/${kind}s/${id}`;
  if (id === NEW_ARTICLE_ID) {
    const answer = await call(`${path}/draft`, readDraft);
    if (!answer.ok && answer.error.status !== 404) return answer;
    return { ok: true, value: { article: null, serverDraft: answer.ok ? answer.value : null } };
  }
  const answer = await call(path, readDetail);
  return answer.ok ? { ok: true, value: { article: answer.value, serverDraft: answer.value.draft } } : answer;
}

/** A picture that was deleted from the library counts as not chosen. */
async function loadFeatured(draft: LocalDraft | null): Promise<FeaturedPicture> {
  const id = draft?.featuredImageId ?? null;
  if (id === '') return { kind: 'removed' };
  const answer = id === null ? null : await call(`/api/cms/media/${id}`, readMedia);
  return answer?.ok ? { kind: 'chosen', picture: answer.value } : { kind: 'as-saved' };
}

export const AS_SAVED: FeaturedPicture = { kind: 'as-saved' };
/** Returns the picture id for drafts and forms: null keeps the saved picture, '' removes it. */
export const idOf = (featured: FeaturedPicture): string | null =>
  featured.kind === 'chosen' ? featured.picture.id : featured.kind === 'removed' ? '' : null;

type ArticleInput = Omit<DraftText, 'baseVersion'> & Times & { status: ArticleStatus; version: number | undefined };

/** A page is sent as JSON, a post as a form. Without a slug, the server derives one from the title. */
export function bodyOf(kind: ArticleKind, input: ArticleInput): RequestInit {
  const { title, content, excerpt, slug, status, version, featuredImageId } = input;
  const times = { startsAt: input.startsAt ?? '', endsAt: input.endsAt ?? '' };
  const fields = {
    title,
    content,
    excerpt,
    status,
    ...times,
    ...(slug ? { slug } : {}),
    ...(version === undefined ? {} : { version }),
  };
  if (kind === 'page') return sendJson<ArticleBody>('POST', fields);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  if (featuredImageId !== null) form.set('featuredImageId', featuredImageId);
  return { body: form };
}
