import type { ArticleKind } from '../../../../shared/contracts/content.ts';
import type { Fault } from '../../ui/answers.ts';
import { type Detail, readDetail, readDraft } from '../answers.ts';
import { call } from '../api.ts';
import { type LocalDraft, readLocal } from './local-draft.ts';

export const NEW = 'new';

export type Loaded = {
  /** What is saved; null for one that never was. */
  article: Detail | null;
  /** What somebody typed here and did not save. */
  draft: LocalDraft | null;
};

export async function loadArticle(
  kind: ArticleKind,
  id: string,
): Promise<{ ok: true; value: Loaded } | { ok: false; fault: Fault }> {
  const path = `/api/cms/${kind}s/${id}`;
  if (id === NEW) {
    const answer = await call(`${path}/draft`, readDraft);
    if (!answer.ok && answer.fault.status !== 404) return answer;
    return { ok: true, value: { article: null, draft: newer(answer.ok ? answer.value : null, readLocal(kind, id)) } };
  }
  const answer = await call(path, readDetail);
  if (!answer.ok) return answer;
  return { ok: true, value: { article: answer.value, draft: newer(answer.value.draft, readLocal(kind, id)) } };
}

const newer = (one: LocalDraft | null, other: LocalDraft | null): LocalDraft | null =>
  one && other ? (one.savedAt >= other.savedAt ? one : other) : (one ?? other);
