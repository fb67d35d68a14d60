import { createElement } from 'react';
import { openOverScreen } from '#site/islands/ui/feedback/open-dialog.tsx';
import { isPlainClick } from '#site/islands/ui/routing/router.tsx';
import { hearKeys } from '../account/keys.ts';
import { Palette } from './Palette.tsx';
import { type Place, rememberPlaces } from './palette-entries.ts';

export const HELP = '/help';

/**
 * Opens Help over the screen on a click on a link to it. One listener for the document keeps this code out of the first
 * bundle; until it is loaded, and in another tab, the link opens the page.
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

/** Starts key handling, Help over the screen, and the history of visited screens. */
export function listen(open: () => void): void {
  if (isListening) return;
  isListening = true;
  hearKeys(open, openHelp);
  hearHelp(openHelp);
  rememberPlaces();
}

/** `places`: the targets of the top bar and the sidebar. */
export const openPalette = (places: Place[], onSwitch: () => void): Promise<void> =>
  openOverScreen((close) => createElement(Palette, { places, onSwitch, onClose: close }));

/** If the drawer's code cannot be loaded, opens the Help page. */
const openHelp = () =>
  void import('../account/HelpDrawer.tsx')
    .then(({ HelpDrawer }) => openOverScreen((close) => createElement(HelpDrawer, { onClose: close })))
    .catch(() => window.location.assign(HELP));
