import {
  isSame,
  type KeptHere,
  keepAs,
  type LocalDraft,
  nameIn,
  nameOf,
  readLocal,
  type TabPlace,
  type Words,
} from './local-draft.ts';

/** Unsaved text of a tab that is gone, or of another device. `name`: where this browser keeps it now. */
export type Left = LocalDraft & { name: string; isOnServer: boolean };
/** `draft`: what this tab goes on with; `left`: what else there is, newest first. */
export type Found = { draft: KeptHere | null; left: Left[] };

type Saved = Words & { version: number; excerpt: string };
/** Without a name, it is on the server alone. */
type Entry = { name: string | null; text: KeptHere; isOnServer: boolean };

/**
 * The unsaved text for an article: this tab's own, or else the newest that nobody has open. The rest that nobody has open
 * becomes this tab's to offer, so no other tab offers it as well. `held`: the locks of the tabs that have it open;
 * `server`: the server's draft, which may be of any tab or device.
 */
export function findDrafts(
  place: TabPlace,
  held: ReadonlySet<string>,
  article: Saved | null,
  server: LocalDraft | null,
): Found {
  const own = nameIn(place);
  const isOfOther = (name: string) => lockOf(name) !== own && held.has(lockOf(name));
  const all = keptFor(place);
  const free = all.filter(({ name, text }) => {
    if (isOfOther(name)) return false;
    // A closed tab never sees its replies: what it sent may be saved by now.
    const isSaved = article !== null && isSavedAs(article, text);
    if (isSaved) localStorage.removeItem(name);
    return !isSaved;
  });
  const entries: Entry[] = free.map(({ name, text }) => ({ name, text, isOnServer: isSentAs(text, server) }));
  // While another tab has unsaved text of this article, the server's is taken for that tab's.
  const isServers = server && !all.some(({ name }) => isOfOther(name)) && !free.some(({ text }) => isOf(text, server));
  if (isServers)
    entries.push({ name: null, text: { ...server, sending: null, sentAt: server.savedAt }, isOnServer: true });
  entries.sort((one, other) =>
    one.name === own ? -1 : other.name === own ? 1 : other.text.savedAt.localeCompare(one.text.savedAt),
  );
  const [first, ...others] = entries;
  if (first?.name) move(first.name, own);
  return { draft: first?.text ?? null, left: others.map((entry) => claim(place, entry)) };
}

/** Exchanges this tab's text (null: it has none) for one that was left; it is left in its place. */
export function takeLeft(place: TabPlace, { name }: Left, present: Omit<KeptHere, 'savedAt'> | null): void {
  if (present) keepAs(nameLeft(place), present);
  move(name, nameIn(place));
}

export const dropLeft = ({ name }: Left): void => localStorage.removeItem(name);

/** What stands behind the tab's name tells several that one tab has to offer apart. */
const nameLeft = (place: TabPlace) => `${nameIn(place)}~${crypto.randomUUID()}`;
const lockOf = (name: string) => name.split('~')[0] ?? name;

/** In no order. Text of before there were tabs stands under the article alone. */
function keptFor(place: TabPlace): { name: string; text: KeptHere }[] {
  const name = nameOf(place);
  return Object.keys(localStorage)
    .filter((key) => key === name || key.startsWith(`${name}:`))
    .flatMap((key) => {
      const text = readLocal(key);
      return text ? [{ name: key, text }] : [];
    });
}

const isSavedAs = (article: Saved, text: KeptHere): boolean =>
  text.baseVersion < article.version && text.excerpt === article.excerpt && isSame(article, text);

const isSentAs = (text: KeptHere, server: LocalDraft | null): boolean =>
  server !== null && (text.sentAt === server.savedAt || isSame(server, text));

/** The server dates a draft by its arrival, which may be long after it was sent. */
const isOf = (text: KeptHere, server: LocalDraft): boolean => isSentAs(text, server) || isSame(server, text.sending);

function claim(place: TabPlace, { name, text, isOnServer }: Entry): Left {
  const mine = nameLeft(place);
  if (name === null) put(mine, JSON.stringify(text));
  else if (lockOf(name) === nameIn(place)) return { ...text, name, isOnServer };
  else move(name, mine);
  return { ...text, name: mine, isOnServer };
}

/** A full storage refuses. */
function put(name: string, text: string): boolean {
  try {
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

function move(from: string, to: string): void {
  const text = localStorage.getItem(from);
  if (text === null || from === to) return;
  // Both at once may not fit.
  localStorage.removeItem(from);
  if (!put(to, text)) put(from, text);
}
