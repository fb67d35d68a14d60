import type { ArticleKind, Draft } from '#shared/contracts/content/content';
import { isRecord, isText, isTextOrNull } from '#site/islands/ui/api/parse-response.ts';

/**
 * Unsaved text. It stays in this browser until it is saved or discarded, since the server keeps only one draft for all
 * tabs.
 */
export type LocalDraft = Draft;
export type DraftContent = Pick<LocalDraft, 'title' | 'content'>;
/**
 * `sending`: an earlier text that was still on its way to the server. `sentAt`: the time that the server returned for
 * this tab's last text.
 */
export type StoredDraft = LocalDraft & { sending: DraftContent | null; sentAt: string | null };

/** Writer and article of a draft. Several members may share a browser, and none may see another's unsaved text. */
export type DraftPlace = { writer: string; kind: ArticleKind; id: string };
/** `tab`: from getTabName(). Each tab has its own storage key. */
export type TabPlace = DraftPlace & { tab: string };

export const articleKeyOf = ({ writer, kind, id }: DraftPlace): string => `cms_draft:${writer}:${kind}:${id}`;
/** Also the name of the lock that is held while the article is open in the tab. */
export const tabKeyOf = (place: TabPlace): string => `${articleKeyOf(place)}:${place.tab}`;

export function storeDraft(name: string, text: Omit<StoredDraft, 'savedAt'>): void {
  try {
    localStorage.setItem(name, JSON.stringify({ ...text, savedAt: new Date().toISOString() }));
  } catch {
    // The storage is full. The text is still on the screen, which shows whether the server has it.
  }
}

export const dropLocal = (place: TabPlace): void => localStorage.removeItem(tabKeyOf(place));

export function readLocal(name: string): StoredDraft | null {
  const text = localStorage.getItem(name);
  if (text === null) return null;
  try {
    const draft: unknown = JSON.parse(text);
    if (!isRecord(draft) || typeof draft.baseVersion !== 'number') return null;
    const { title, content, excerpt = '', slug, savedAt, baseVersion, featuredImageId = null, sentAt = null } = draft;
    const sending = readContent(draft.sending);
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

const readContent = (value: unknown): DraftContent | null =>
  isRecord(value) && isText(value.title) && isText(value.content)
    ? { title: value.title, content: value.content }
    : null;

/** Compares only the text itself, since the server changes the HTML slightly. */
export const hasSameText = (a: DraftContent, b: DraftContent | null): boolean =>
  b !== null && a.title === b.title && plainTextOf(a.content) === plainTextOf(b.content);
const plainTextOf = (html: string): string =>
  (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').replace(/\s+/g, '');

/** Storage key of this tab's name; browsers restore it with the tab after a crash. */
const TAB_NAME_KEY = 'cms_tab';
/** How long (ms) to wait for a name's lock to be released during a reload. */
const RELEASE_MS = 1000;

let name: Promise<string> | undefined;

/** The name under which this tab keeps its unsaved text. */
export const getTabName = (): Promise<string> => {
  name ??= claimTabName();
  return name;
};

/** A duplicated tab inherits the original's name, whose lock shows that it is in use. */
async function claimTabName(): Promise<string> {
  const existingName = sessionStorage.getItem(TAB_NAME_KEY);
  if (existingName !== null && (await tryAcquireLock(`${TAB_NAME_KEY}:${existingName}`))) return existingName;
  const newName = crypto.randomUUID();
  acquireLock(`${TAB_NAME_KEY}:${newName}`);
  sessionStorage.setItem(TAB_NAME_KEY, newName);
  return newName;
}

/** Takes a lock for the lifetime of the page. Returns false if another tab holds it. */
const tryAcquireLock = (lock: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = { signal: AbortSignal.timeout(RELEASE_MS) };
    const holdLock = () => {
      resolve(true);
      return new Promise(() => undefined);
    };
    navigator.locks.request(lock, request, holdLock).catch(() => resolve(false));
  });

/** Holds a lock until the returned function is called or the page is closed. */
export function acquireLock(lock: string): () => void {
  let release = () => {};
  const whenReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks.request(lock, () => whenReleased);
  return release;
}

/** The locks that are held in all tabs of this browser. */
export async function heldLocks(): Promise<Set<string>> {
  const { held = [] } = await navigator.locks.query();
  return new Set(held.map((lock) => lock.name ?? ''));
}
