/** In the tab's own storage, since names of customers may be in it: it ends with the tab, and with the person. */
const KEPT = 'places';
const MOST = 6;

export type Visit = { path: string; name: string };

export function placesBefore(): Visit[] {
  const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]');
  return Array.isArray(kept) ? (kept as Visit[]).filter(({ path }) => path !== here()).slice(0, MOST - 1) : [];
}

const here = () => window.location.pathname + window.location.search;

/** Each screen names the page once it is there. */
export function rememberPlaces(): void {
  const remember = () => {
    const [name = '', product] = document.title.split(' – ');
    if (!product || !document.querySelector('main h1') || name.endsWith('Error!')) return;
    const others = placesBefore().filter((one) => one.name !== name);
    sessionStorage.setItem(KEPT, JSON.stringify([{ path: here(), name }, ...others].slice(0, MOST)));
  };
  const title = document.querySelector('title');
  if (title) new MutationObserver(remember).observe(title, { childList: true, characterData: true, subtree: true });
  remember();
}
