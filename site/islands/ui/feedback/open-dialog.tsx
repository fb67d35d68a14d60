import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/** Shows a dialog from code outside of a screen. It stays open until `close` is called, and resolves to the result. */
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

/** The same over a screen, one at a time. The focus returns to the opener, unless the screen has changed. */
export async function openOverScreen(dialog: (close: () => void) => ReactNode): Promise<void> {
  if (document.querySelector('dialog[open]')) return;
  const opener = document.activeElement;
  const address = window.location.href;
  await openDialog<void>(dialog);
  // On a new screen, the heading has the focus already.
  if (window.location.href === address && opener instanceof HTMLElement) opener.focus();
}
