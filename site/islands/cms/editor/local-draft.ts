import type { ArticleKind, Draft } from '../../../../shared/contracts/content/content.ts';
import { isRecord, isText, isTextOrNull } from '../../ui/api/parse-response.ts';

/** Text that the server does not have yet is kept in this browser. */
export type LocalDraft = Draft;
type Words = Pick<LocalDraft, 'title' | 'content'>;
/** `sending`: an earlier text that was being sent to the server when this one was kept. */
export type KeptHere = LocalDraft & { sending: Words | null };

/** Writer and article of a draft. Several people may use one browser, and none may see another's unsaved text. */
export type DraftPlace = { writer: string; kind: ArticleKind; id: string };

const nameOf = ({ writer, kind, id }: DraftPlace) => `cms_draft:${writer}:${kind}:${id}`;

export function keepLocal(place: DraftPlace, text: Omit<KeptHere, 'savedAt'>): void {
  try {
    localStorage.setItem(nameOf(place), JSON.stringify({ ...text, savedAt: new Date().toISOString() }));
  } catch {
    // The storage is full: the text is still on the screen, which says that it was not sent.
  }
}

export const dropLocal = (place: DraftPlace): void => localStorage.removeItem(nameOf(place));

function readLocal(place: DraftPlace): KeptHere | null {
  const text = localStorage.getItem(nameOf(place));
  if (text === null) return null;
  try {
    const draft: unknown = JSON.parse(text);
    if (!isRecord(draft) || typeof draft.baseVersion !== 'number') return null;
    const { title, content, excerpt = '', slug, savedAt, baseVersion, featuredImageId = null } = draft;
    return isText(title) &&
      isText(content) &&
      isText(excerpt) &&
      isText(slug) &&
      isText(savedAt) &&
      isTextOrNull(featuredImageId)
      ? { title, content, excerpt, slug, savedAt, baseVersion, featuredImageId, sending: readWords(draft.sending) }
      : null;
  } catch {
    return null;
  }
}

const readWords = (sent: unknown): Words | null =>
  isRecord(sent) && isText(sent.title) && isText(sent.content) ? { title: sent.title, content: sent.content } : null;

/**
 * The draft that was typed last. The server dates a draft by its arrival, which may be long after it was sent: a text
 * that was still being sent is older than one kept here meanwhile.
 */
function newerDraft(server: LocalDraft | null, here: KeptHere | null): LocalDraft | null {
  if (!server || !here) return server ?? here;
  return isSame(server, here.sending) || here.savedAt >= server.savedAt ? here : server;
}

/** A closed tab never sees its replies: the draft that it sent may be saved by now, and need not be kept here. */
export function settleLocal(
  place: DraftPlace,
  article: (Words & { version: number }) | null,
  server: LocalDraft | null,
): LocalDraft | null {
  const here = readLocal(place);
  const isSaved = !server && here && article && here.baseVersion < article.version && isSame(article, here);
  const draft = isSaved ? null : newerDraft(server, here);
  if (here && draft !== here) dropLocal(place);
  return draft;
}

/** Compare words only, since the server writes HTML a little differently. */
const isSame = (one: Words, other: Words | null): boolean =>
  other !== null && one.title === other.title && wordsOf(one.content) === wordsOf(other.content);
const wordsOf = (html: string): string =>
  (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').replace(/\s+/g, '');
