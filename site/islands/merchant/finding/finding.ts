import { createElement } from 'react';
import { openOverScreen } from '#site/islands/ui/feedback/open-dialog.tsx';
import { isPlainClick } from '#site/islands/ui/routing/router.tsx';
import { hearKeys } from '../account/keys.ts';
import { Palette } from './Palette.tsx';
import { type Place, rememberPlaces } from './palette-entries.ts';

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

let isListening = false;

/** From now on keys are heard, help opens over the screen, and the places that were looked at are remembered. */
export function listen(open: () => void): void {
  if (isListening) return;
  isListening = true;
  hearKeys(open, openHelp);
  hearHelp(openHelp);
  rememberPlaces();
}

/** `places`: what the bar and the sidebar lead to. */
export const openPalette = (places: Place[], onSwitch: () => void): Promise<void> =>
  openOverScreen((close) => createElement(Palette, { places, onSwitch, onClose: close }));

/** Where its code cannot be loaded the page of Help says so. */
const openHelp = () =>
  void import('../account/HelpDrawer.tsx')
    .then(({ HelpDrawer }) => openOverScreen((close) => createElement(HelpDrawer, { onClose: close })))
    .catch(() => window.location.assign(HELP));
