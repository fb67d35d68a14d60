import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/** Shows a dialog for code that is no part of a screen. It is open until `close` is called, whose result this answers. */
export function openDialog<T>(dialog: (close: (result: T) => void) => ReactNode): Promise<T> {
  return new Promise((resolve) => {
    const place = document.body.appendChild(document.createElement('div'));
    const root = createRoot(place);
    const close = (result: T) => {
      root.unmount();
      place.remove();
      resolve(result);
    };
    root.render(dialog(close));
  });
}

/** The same over a screen, one at a time; the focus returns to where it was, unless the screen is another one by then. */
export async function openOverScreen(dialog: (close: () => void) => ReactNode): Promise<void> {
  if (document.querySelector('dialog[open]')) return;
  const opener = document.activeElement;
  const address = window.location.href;
  await openDialog<void>(dialog);
  // On another screen its heading has the focus already.
  if (window.location.href === address && opener instanceof HTMLElement) opener.focus();
}
