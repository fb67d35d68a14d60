import type { Draft } from '#shared/contracts/content/content';
import type { ClientError } from '#site/islands/ui/api/parse-response.ts';
import { call } from '../api.ts';
import { readMedia } from '../media/parse-response.ts';
import { findDrafts, type Left } from './left-drafts.ts';
import type { DraftPlace, KeptHere, LocalDraft } from './local-draft.ts';
import { type Detail, readDetail, readDraft } from './parse-response.ts';
import { heldLocks, thisTab } from './tab.ts';
import type { Picked } from './text/PictureDialog.tsx';

export const NEW = 'new';

/** The choice of a featured image that is not saved yet; `removed`: no image. */
export type Featured = { kind: 'as-saved' } | { kind: 'removed' } | { kind: 'chosen'; picture: Picked };

export type Loaded = {
  /** The saved article; null before the first save. */
  article: Detail | null;
  /** Text that was typed but not saved. */
  draft: KeptHere | null;
  /** More of it, which no open tab has. */
  left: Left[];
  featured: Featured;
  tab: string;
};
type Answered<T> = { ok: true; value: T } | { ok: false; error: ClientError };

export async function loadArticle(place: DraftPlace): Promise<Answered<Loaded>> {
  const saved = await loadSaved(place);
  if (!saved.ok) return saved;
  const { article, kept } = saved.value;
  const tab = await thisTab();
  const { draft, left } = findDrafts({ ...place, tab }, await heldLocks(), article, kept);
  return { ok: true, value: { article, draft, left, featured: await loadFeatured(draft), tab } };
}

async function loadSaved({ kind, id }: DraftPlace): Promise<Answered<{ article: Detail | null; kept: Draft | null }>> {
  const path = `/api/cms/${kind}s/${id}`;
  if (id === NEW) {
    const answer = await call(`${path}/draft`, readDraft);
    if (!answer.ok && answer.error.status !== 404) return answer;
    return { ok: true, value: { article: null, kept: answer.ok ? answer.value : null } };
  }
  const answer = await call(path, readDetail);
  return answer.ok ? { ok: true, value: { article: answer.value, kept: answer.value.draft } } : answer;
}

/** A picture that was deleted from the library counts as not chosen. */
async function loadFeatured(draft: LocalDraft | null): Promise<Featured> {
  const id = draft?.featuredImageId ?? null;
  if (id === '') return { kind: 'removed' };
  const answer = id === null ? null : await call(`/api/cms/media/${id}`, readMedia);
  return answer?.ok ? { kind: 'chosen', picture: answer.value } : { kind: 'as-saved' };
}
