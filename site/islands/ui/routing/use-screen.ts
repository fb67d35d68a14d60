import { type RefObject, useEffect, useRef } from 'react';
import { operator } from '#shared/operator';

/**
 * Sets the page title to the text of the heading, or of the element that `titleSelector` selects. Focuses the heading
 * of a new screen, so that screen readers announce it.
 */
export function useScreen(main: RefObject<HTMLElement | null>, screen: string, titleSelector = 'h1'): void {
  const previous = useRef(screen);
  useEffect(() => {
    const element = main.current;
    if (!element) return;
    const isNew = previous.current !== screen;
    previous.current = screen;
    let hasFocused = false;
    const updateTitle = () => {
      const heading = element.querySelector('h1');
      if (!heading) return;
      document.title = `${(element.querySelector(titleSelector) ?? heading).textContent} – ${operator.name}`;
      if (isNew && !hasFocused) heading.focus();
      hasFocused = true;
    };
    updateTitle();
    // The title is updated again later, since the screen's code or its heading may still be loading.
    const observer = new MutationObserver(updateTitle);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [main, screen, titleSelector]);
}
