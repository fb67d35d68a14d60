import { createElement } from 'react';
import { openDialog } from '../../ui/feedback/open-dialog.tsx';
import type { Place } from './entry.ts';
import { hearKeys } from './hear-keys.ts';
import { Palette } from './Palette.tsx';
import { rememberPlaces } from './places.ts';

let isListening = false;

/** From now on keys are heard, and the places that were looked at are remembered. */
export function listen(open: () => void): void {
  if (isListening) return;
  isListening = true;
  hearKeys(open);
  rememberPlaces();
}

/** One at a time. `places`: what the bar and the sidebar lead to. */
export async function openPalette(places: Place[], onSwitch: () => void): Promise<void> {
  if (document.querySelector('dialog[open]')) return;
  const opener = document.activeElement;
  const address = window.location.href;
  await openDialog<void>((close) => createElement(Palette, { places, onSwitch, onClose: close }));
  // On another screen its heading has the focus already.
  if (window.location.href === address && opener instanceof HTMLElement) opener.focus();
}
