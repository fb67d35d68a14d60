import { isPlainClick } from '#site/islands/ui/routing/router.tsx';

export const HELP = '/help';

/**
 * A press of a link to Help opens it over the screen. Heard here and not by the link, so that the first screen carries
 * nothing of it; until then, and in another tab, the link leads to the page.
 */
export function hearHelp(open: () => void): void {
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element && event.target.closest('a');
      if (!link || link.pathname !== HELP || window.location.pathname === HELP || !isPlainClick(event)) return;
      event.preventDefault();
      open();
    },
    true,
  );
}
