import type { Fault } from '../../ui/answers.ts';
import { type Detail, readDetail, readDraft } from '../answers.ts';
import { call } from '../api.ts';
import { type DraftPlace, type LocalDraft, settleLocal } from './local-draft.ts';

export const NEW = 'new';

export type Loaded = {
  /** What is saved; null for one that never was. */
  article: Detail | null;
  /** What somebody typed here and did not save. */
  draft: LocalDraft | null;
};

export async function loadArticle(
  place: DraftPlace,
): Promise<{ ok: true; value: Loaded } | { ok: false; fault: Fault }> {
  const { kind, id } = place;
  const path = `/api/cms/${kind}s/${id}`;
  if (id === NEW) {
    const answer = await call(`${path}/draft`, readDraft);
    if (!answer.ok && answer.fault.status !== 404) return answer;
    return {
      ok: true,
      value: { article: null, draft: settleLocal(place, null, answer.ok ? answer.value : null) },
    };
  }
  const answer = await call(path, readDetail);
  if (!answer.ok) return answer;
  return { ok: true, value: { article: answer.value, draft: settleLocal(place, answer.value, answer.value.draft) } };
}
