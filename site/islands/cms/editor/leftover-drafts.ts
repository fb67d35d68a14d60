import {
  articleKeyOf,
  type DraftContent,
  hasSameText,
  type LocalDraft,
  readLocal,
  type StoredDraft,
  storeDraft,
  type TabPlace,
  tabKeyOf,
} from './local-draft.ts';

/** Unsaved text from a closed tab or another device. `name`: its current storage key in this browser. */
export type Leftover = LocalDraft & { name: string; isOnServer: boolean };
/** `draft`: the text to continue with; `leftovers`: the other drafts, newest first. */
export type Drafts = { draft: StoredDraft | null; leftovers: Leftover[] };

type SavedArticle = DraftContent & { version: number; excerpt: string };
/** `name` is null if the text is on the server only. */
type Entry = { name: string | null; text: StoredDraft; isOnServer: boolean };

/**
 * Finds the unsaved text for an article: this tab's own, or else the newest that is not open in any tab. All other free
 * drafts are moved under this tab's key, so that no other tab offers them too. `heldLockNames`: the locks of the tabs
 * that have the article open; `server`: the server's draft, from any tab or device.
 */
export function findDrafts(
  place: TabPlace,
  heldLockNames: ReadonlySet<string>,
  article: SavedArticle | null,
  server: LocalDraft | null,
): Drafts {
  const ownName = tabKeyOf(place);
  const isOpenElsewhere = (name: string) => lockOf(name) !== ownName && heldLockNames.has(lockOf(name));
  const storedDrafts = findStored(place);
  const freeDrafts = storedDrafts.filter(({ name, text }) => {
    if (isOpenElsewhere(name)) return false;
    // A closed tab never receives its replies, so its text may be saved already.
    const isSaved = article !== null && isSavedAs(article, text);
    if (isSaved) localStorage.removeItem(name);
    return !isSaved;
  });
  const entries: Entry[] = freeDrafts.map(({ name, text }) => ({ name, text, isOnServer: isSentAs(text, server) }));
  // If another tab has unsaved text for this article, assume that the server's draft came from that tab.
  const isServerDraftFree =
    server &&
    !storedDrafts.some(({ name }) => isOpenElsewhere(name)) &&
    !freeDrafts.some(({ text }) => isServerCopyOf(text, server));
  if (isServerDraftFree)
    entries.push({ name: null, text: { ...server, sending: null, sentAt: server.savedAt }, isOnServer: true });
  entries.sort((a, b) =>
    a.name === ownName ? -1 : b.name === ownName ? 1 : b.text.savedAt.localeCompare(a.text.savedAt),
  );
  const [first, ...others] = entries;
  if (first?.name) moveText(first.name, ownName);
  return { draft: first?.text ?? null, leftovers: others.map((entry) => claimDraft(place, entry)) };
}

/** Swaps this tab's text, if there is any, with a leftover draft; the tab's text becomes a leftover. */
export function takeLeftover(place: TabPlace, { name }: Leftover, current: Omit<StoredDraft, 'savedAt'> | null): void {
  if (current) storeDraft(leftoverName(place), current);
  moveText(name, tabKeyOf(place));
}

export const dropLeftover = ({ name }: Leftover): void => localStorage.removeItem(name);

/** The suffix distinguishes several leftover drafts that one tab offers. */
const leftoverName = (place: TabPlace) => `${tabKeyOf(place)}~${crypto.randomUUID()}`;
const lockOf = (name: string) => name.split('~')[0] ?? name;

/** All stored texts of the article, unordered. Texts from before tabs had names have the article's key alone. */
function findStored(place: TabPlace): { name: string; text: StoredDraft }[] {
  const name = articleKeyOf(place);
  return Object.keys(localStorage)
    .filter((key) => key === name || key.startsWith(`${name}:`))
    .flatMap((key) => {
      const text = readLocal(key);
      return text ? [{ name: key, text }] : [];
    });
}

const isSavedAs = (article: SavedArticle, text: StoredDraft): boolean =>
  text.baseVersion < article.version && text.excerpt === article.excerpt && hasSameText(article, text);

const isSentAs = (text: StoredDraft, server: LocalDraft | null): boolean =>
  server !== null && (text.sentAt === server.savedAt || hasSameText(server, text));

/** The server dates a draft on arrival, which may be long after it was sent. */
const isServerCopyOf = (text: StoredDraft, server: LocalDraft): boolean =>
  isSentAs(text, server) || hasSameText(server, text.sending);

function claimDraft(place: TabPlace, { name, text, isOnServer }: Entry): Leftover {
  const newName = leftoverName(place);
  if (name === null) tryStore(newName, JSON.stringify(text));
  else if (lockOf(name) === tabKeyOf(place)) return { ...text, name, isOnServer };
  else moveText(name, newName);
  return { ...text, name: newName, isOnServer };
}

/** Stores a text. Returns false if the storage is full. */
function tryStore(name: string, text: string): boolean {
  try {
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

function moveText(from: string, to: string): void {
  const text = localStorage.getItem(from);
  if (text === null || from === to) return;
  // Both copies together may exceed the storage quota.
  localStorage.removeItem(from);
  if (!tryStore(to, text)) tryStore(from, text);
}
