import type { ArticleKind, Draft } from '#shared/contracts/content/content';
import { isRecord, isText, isTextOrNull } from '#site/islands/ui/api/parse-response.ts';

/** Unsaved text. It stays in this browser until it is saved or given up, since the server keeps one for all tabs. */
export type LocalDraft = Draft;
export type Words = Pick<LocalDraft, 'title' | 'content'>;
/**
 * `sending`: an earlier text that was being sent to the server when this one was kept. `sentAt`: when the server says that
 * it got what this tab sent last.
 */
export type KeptHere = LocalDraft & { sending: Words | null; sentAt: string | null };

/** Writer and article of a draft. Several people may use one browser, and none may see another's unsaved text. */
export type DraftPlace = { writer: string; kind: ArticleKind; id: string };
/** `tab`: as thisTab() names it. Two tabs never keep their text at one place. */
export type TabPlace = DraftPlace & { tab: string };

export const nameOf = ({ writer, kind, id }: DraftPlace): string => `cms_draft:${writer}:${kind}:${id}`;
/** Also of the lock that is held while the article is open in the tab. */
export const nameIn = (place: TabPlace): string => `${nameOf(place)}:${place.tab}`;

export function keepAs(name: string, text: Omit<KeptHere, 'savedAt'>): void {
  try {
    localStorage.setItem(name, JSON.stringify({ ...text, savedAt: new Date().toISOString() }));
  } catch {
    // The storage is full: the text is still on the screen, and the screen says whether the server has it.
  }
}

export const dropLocal = (place: TabPlace): void => localStorage.removeItem(nameIn(place));

export function readLocal(name: string): KeptHere | null {
  const text = localStorage.getItem(name);
  if (text === null) return null;
  try {
    const draft: unknown = JSON.parse(text);
    if (!isRecord(draft) || typeof draft.baseVersion !== 'number') return null;
    const { title, content, excerpt = '', slug, savedAt, baseVersion, featuredImageId = null, sentAt = null } = draft;
    const sending = readWords(draft.sending);
    return isText(title) &&
      isText(content) &&
      isText(excerpt) &&
      isText(slug) &&
      isText(savedAt) &&
      isTextOrNull(featuredImageId) &&
      isTextOrNull(sentAt)
      ? { title, content, excerpt, slug, savedAt, baseVersion, featuredImageId, sending, sentAt }
      : null;
  } catch {
    return null;
  }
}

const readWords = (sent: unknown): Words | null =>
  isRecord(sent) && isText(sent.title) && isText(sent.content) ? { title: sent.title, content: sent.content } : null;

/** Compare words only, since the server writes HTML a little differently. */
export const isSame = (one: Words, other: Words | null): boolean =>
  other !== null && one.title === other.title && wordsOf(one.content) === wordsOf(other.content);
const wordsOf = (html: string): string =>
  (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').replace(/\s+/g, '');
