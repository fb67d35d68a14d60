import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';

function subscribe(onChange: () => void) {
  window.addEventListener('popstate', onChange);
  return () => window.removeEventListener('popstate', onChange);
}

export const usePath = (): string => useSyncExternalStore(subscribe, () => window.location.pathname);

/** What stands after the question mark; it belongs to the screen that is shown. */
export const useSearch = (): string => useSyncExternalStore(subscribe, () => window.location.search);

const move = (address: string, how: 'pushState' | 'replaceState') => {
  if (address === window.location.pathname + window.location.search) return;
  window.history[how](null, '', address);
  window.dispatchEvent(new PopStateEvent('popstate'));
};

/** Another screen; `replace`: the same one under the address that it has from now on. */
export function navigate(path: string, { replace = false } = {}): void {
  move(path, replace ? 'replaceState' : 'pushState');
  if (!replace) window.scrollTo(0, 0);
}

/** The same screen, looked at differently; `replace`: too small a step to come back to. */
export function setSearch(search: string, { replace = false } = {}): void {
  move(`${window.location.pathname}${search && `?${search}`}`, replace ? 'replaceState' : 'pushState');
}

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; isHere?: boolean };

/** A link to a screen of this app: no page is loaded for it. */
export function AppLink({ href, onClick, isHere: isSaid, ...rest }: LinkProps) {
  const path = usePath();
  const isHere = isSaid ?? path === href;
  return (
    <a
      {...rest}
      href={href}
      aria-current={isHere ? 'page' : undefined}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        navigate(href);
      }}
    />
  );
}
