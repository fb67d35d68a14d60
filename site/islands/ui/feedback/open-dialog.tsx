import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/** Shows a dialog from code outside a screen. Resolves with the result when the dialog calls `close`. */
export function openDialog<T>(dialog: (close: (result: T) => void) => ReactNode): Promise<T> {
  return new Promise((resolve) => {
    const container = document.body.appendChild(document.createElement('div'));
    const root = createRoot(container);
    const close = (result: T) => {
      root.unmount();
      container.remove();
      resolve(result);
    };
    root.render(dialog(close));
  });
}

/**
 * Opens a dialog over a screen, if none is open yet. The focus returns to the opener, unless the screen has changed.
 */
export async function openOverScreen(dialog: (close: () => void) => ReactNode): Promise<void> {
  if (document.querySelector('dialog[open]')) return;
  const opener = document.activeElement;
  const address = window.location.href;
  await openDialog<void>(dialog);
  // If the screen has changed, its heading already has the focus.
  if (window.location.href === address && opener instanceof HTMLElement) opener.focus();
}
