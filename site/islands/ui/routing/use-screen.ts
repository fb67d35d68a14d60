import { type RefObject, useEffect, useRef } from 'react';
import { operator } from '#shared/operator';

/**
 * Sets the page title from the heading, or from the part of it that `titleSelector` selects, and focuses a new screen's
 * heading, so that it is announced.
 */
export function useScreen(main: RefObject<HTMLElement | null>, screen: string, titleSelector = 'h1'): void {
  const previous = useRef(screen);
  useEffect(() => {
    const element = main.current;
    if (!element) return;
    const isNew = previous.current !== screen;
    previous.current = screen;
    let wasRead = false;
    const read = () => {
      const heading = element.querySelector('h1');
      if (!heading) return;
      document.title = `${(element.querySelector(titleSelector) ?? heading).textContent} – ${operator.name}`;
      if (isNew && !wasRead) heading.focus();
      wasRead = true;
    };
    read();
    // The screen's code, or the text of its heading, may still be loading.
    const observer = new MutationObserver(read);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [main, screen, titleSelector]);
}
