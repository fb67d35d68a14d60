import { createElement } from 'react';
import { openOverScreen } from '#site/islands/ui/feedback/open-dialog.tsx';
import { isPlainClick } from '#site/islands/ui/routing/router.tsx';
import { listenForKeys } from '../account/keys.ts';
import { Palette } from './Palette.tsx';
import { type NamedPath, recordPlaces } from './palette-entries.ts';

export const HELP_PATH = '/help';

/**
 * Makes links to Help open it over the current screen. A single listener on the document keeps this code out of the
 * first bundle. Until it has loaded, and in a new tab, the links open the Help page.
 */
export function openHelpOnClick(open: () => void): void {
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element && event.target.closest('a');
      if (!link || link.pathname !== HELP_PATH || window.location.pathname === HELP_PATH || !isPlainClick(event))
        return;
      event.preventDefault();
      open();
    },
    true,
  );
}

let isListening = false;

/** Starts the keyboard shortcuts, the handling of Help links, and the history of visited screens. */
export function startListening(open: () => void): void {
  if (isListening) return;
  isListening = true;
  listenForKeys(open, openHelp);
  openHelpOnClick(openHelp);
  recordPlaces();
}

/** Opens the palette. `places` are the links in the top bar and the sidebar. */
export const openPalette = (places: NamedPath[], onSwitch: () => void): Promise<void> =>
  openOverScreen((close) => createElement(Palette, { places, onSwitch, onClose: close }));

/** Opens the Help drawer, or the Help page if the drawer's code cannot be loaded. */
const openHelp = () =>
  void import('../account/HelpDrawer.tsx')
    .then(({ HelpDrawer }) => openOverScreen((close) => createElement(HelpDrawer, { onClose: close })))
    .catch(() => window.location.assign(HELP_PATH));
