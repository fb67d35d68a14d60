/** Storage key of this tab's name; a browser brings it back with a tab that it restores after a crash. */
const NAME = 'cms_tab';
/** How long the lock of a name may take to come free when a page is loaded again. */
const RELEASE_MS = 1000;

let name: Promise<string> | undefined;

/** The name under which this tab keeps its unsaved text. */
export const thisTab = (): Promise<string> => {
  name ??= takeName();
  return name;
};

/** A copied tab comes with the name of its original, whose lock tells that it is in use. */
async function takeName(): Promise<string> {
  const before = sessionStorage.getItem(NAME);
  if (before !== null && (await isFree(`${NAME}:${before}`))) return before;
  const made = crypto.randomUUID();
  hold(`${NAME}:${made}`);
  sessionStorage.setItem(NAME, made);
  return made;
}

/** Takes the lock for as long as the page lives. */
const isFree = (lock: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = { signal: AbortSignal.timeout(RELEASE_MS) };
    const stay = () => {
      resolve(true);
      return new Promise(() => undefined);
    };
    navigator.locks.request(lock, request, stay).catch(() => resolve(false));
  });

/** Holds a lock until the returned function is called, or the page is gone. */
export function hold(lock: string): () => void {
  let release = () => {};
  const isOver = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks.request(lock, () => isOver);
  return release;
}

/** The locks that are held in all tabs of this browser. */
export async function heldLocks(): Promise<Set<string>> {
  const { held = [] } = await navigator.locks.query();
  return new Set(held.map((lock) => lock.name ?? ''));
}
