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
