import { type ComponentType, createElement, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import './ui/translation-guard.ts';

/**
 * Mounts an island, with what every island needs. It stands in for the client of @astrojs/react
 * (docs/decisions/0032-own-island-client.md).
 */
const mount =
  (element: HTMLElement) =>
  (Island: ComponentType, props: object, _slots: object, { client }: { client: string }): void => {
    if (!element.hasAttribute('ssr')) return;
    const island = createElement(Island, props);
    startTransition(() => {
      // A page that is translated already no longer has the texts to which React would connect.
      if (client === 'only' || element.querySelector('font')) createRoot(element).render(island);
      else hydrateRoot(element, island, { identifierPrefix: element.getAttribute('prefix') as string });
    });
  };
export default mount;
