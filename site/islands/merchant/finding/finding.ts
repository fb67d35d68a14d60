import { createElement } from 'react';
import { openOverScreen } from '#site/islands/ui/feedback/open-dialog.tsx';
import type { Place } from './entry.ts';
import { HELP, hearHelp } from './hear-help.ts';
import { hearKeys } from './hear-keys.ts';
import { Palette } from './Palette.tsx';
import { rememberPlaces } from './places.ts';

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
