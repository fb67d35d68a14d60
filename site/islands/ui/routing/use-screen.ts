import { type RefObject, useEffect, useRef } from 'react';
import { operator } from '../../../../shared/operator.ts';

/** The page is called after its heading; a screen that replaces another is read out from there. */
export function useScreen(main: RefObject<HTMLElement | null>, screen: string): void {
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
      document.title = `${heading.textContent} – ${operator.name}`;
      if (isNew && !isRead) heading.focus();
      isRead = true;
    };
    read();
    // A screen's code, or what its heading says, may still be on the way.
    const observer = new MutationObserver(read);
    observer.observe(part, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [main, screen]);
}
