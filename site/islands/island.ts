import { type ComponentType, createElement, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import './ui/translation-guard.ts';

/** Mounts an island. Replaces the client of @astrojs/react (docs/decisions/0032-own-island-client.md). */
const mount =
  (element: HTMLElement) =>
  (Island: ComponentType, props: object, _slots: object, { client }: { client: string }): void => {
    if (!element.hasAttribute('ssr')) return;
    const island = createElement(Island, props);
    startTransition(() => {
      // A page that is already translated no longer has the texts that React would hydrate.
      if (client === 'only' || element.querySelector('font')) createRoot(element).render(island);
      else hydrateRoot(element, island, { identifierPrefix: element.getAttribute('prefix') as string });
    });
  };
export default mount;
