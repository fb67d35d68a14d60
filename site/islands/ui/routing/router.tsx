import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';

function subscribe(onChange: () => void) {
  window.addEventListener('popstate', onChange);
  return () => window.removeEventListener('popstate', onChange);
}

export const usePath = (): string => useSyncExternalStore(subscribe, () => window.location.pathname);

/** Returns the query string of the current screen. */
export const useSearch = (): string => useSyncExternalStore(subscribe, () => window.location.search);

const changeAddress = (address: string, method: 'pushState' | 'replaceState') => {
  if (address === window.location.pathname + window.location.search) return;
  window.history[method](null, '', address);
  window.dispatchEvent(new PopStateEvent('popstate'));
};

/** Opens another screen. `replace` changes the address of the same screen, without a new history entry. */
export function navigate(path: string, { replace = false } = {}): void {
  changeAddress(path, replace ? 'replaceState' : 'pushState');
  if (!replace) window.scrollTo(0, 0);
}

/** Changes the query string of the same screen. `replace` adds no history entry, which is meant for small steps. */
export function setSearch(search: string, { replace = false } = {}): void {
  changeAddress(`${window.location.pathname}${search && `?${search}`}`, replace ? 'replaceState' : 'pushState');
}

/** False for clicks that open another tab or a browser menu. */
export const isPlainClick = (event: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; isActive?: boolean };

/** A link to another screen of this app, which opens without a page load. */
export function AppLink({ href, onClick, isActive: isCurrent, ...rest }: LinkProps) {
  const path = usePath();
  const isActive = isCurrent ?? path === href;
  return (
    <a
      {...rest}
      href={href}
      aria-current={isActive ? 'page' : undefined}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        navigate(href);
      }}
    />
  );
}
