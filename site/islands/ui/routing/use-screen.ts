import { type RefObject, useEffect, useRef } from 'react';
import { operator } from '#shared/operator';

/**
 * Sets the page title from the heading, or from the part of it that `named` selects, and focuses a new screen's
 * heading, so that it is announced.
 */
export function useScreen(main: RefObject<HTMLElement | null>, screen: string, named = 'h1'): void {
  const shown = useRef(screen);
  useEffect(() => {
    const part = main.current;
    if (!part) return;
    const isNew = shown.current !== screen;
    shown.current = screen;
    let isRead = false;
    const read = () => {
      const heading = part.querySelector('h1');
      if (!heading) return;
      document.title = `${(part.querySelector(named) ?? heading).textContent} – ${operator.name}`;
      if (isNew && !isRead) heading.focus();
      isRead = true;
    };
    read();
    // The screen's code, or the text of its heading, may still be loading.
    const observer = new MutationObserver(read);
    observer.observe(part, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [main, screen, named]);
}
