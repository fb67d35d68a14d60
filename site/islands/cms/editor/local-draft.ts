import type { ArticleKind } from '../../../../shared/contracts/content.ts';
import { isRecord, isText } from '../../ui/answers.ts';

/** What could not be sent stays in this browser until it can be. */
export type LocalDraft = { title: string; content: string; slug: string; baseVersion: number; savedAt: string };

const nameOf = (kind: ArticleKind, id: string) => `cms_draft:${kind}:${id}`;

export function keepLocal(kind: ArticleKind, id: string, text: Omit<LocalDraft, 'savedAt'>): void {
  try {
    localStorage.setItem(nameOf(kind, id), JSON.stringify({ ...text, savedAt: new Date().toISOString() }));
  } catch {
    // A full storage: the text is still on the screen, which says that it was not sent.
  }
}

export const dropLocal = (kind: ArticleKind, id: string): void => localStorage.removeItem(nameOf(kind, id));

export function readLocal(kind: ArticleKind, id: string): LocalDraft | null {
  const text = localStorage.getItem(nameOf(kind, id));
  if (text === null) return null;
  try {
    const draft: unknown = JSON.parse(text);
    if (!isRecord(draft) || typeof draft.baseVersion !== 'number') return null;
    const { title, content, slug, savedAt, baseVersion } = draft;
    return isText(title) && isText(content) && isText(slug) && isText(savedAt)
      ? { title, content, slug, savedAt, baseVersion }
      : null;
  } catch {
    return null;
  }
}
