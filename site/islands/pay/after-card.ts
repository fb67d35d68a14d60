import type { ClientDirective } from 'astro';
import { CARD_FRAME_ID } from './card-options.ts';

declare module 'astro' {
  interface AstroClientDirectives {
    'client:after-card'?: boolean;
  }
}

/** A provider that is slow, or never answers, holds the page's own script no longer than this. */
const MOST_MS = 3000;
const TOUCHES = ['pointerdown', 'focusin', 'keydown'];

/** What site/inline/card-first.js leaves on `window` while it opens the card form. */
type WithEarly = { tillwayCard?: { opened: Promise<boolean> } };

/**
 * Starts the pay page's script once the provider's frame is complete: on a slow line the two would share it, and the card
 * fields, which need nothing of ours, would be ready later. At the payer's first touch of the page it starts at once.
 */
const afterCard: ClientDirective = (load) => {
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    for (const touch of TOUCHES) removeEventListener(touch, start);
    void load().then((hydrate) => hydrate());
  };
  const { tillwayCard: early } = window as WithEarly;
  if (!early) return start();
  for (const touch of TOUCHES) addEventListener(touch, start);
  setTimeout(start, MOST_MS);
  void early.opened.then(() => {
    const frame = document.getElementById(CARD_FRAME_ID)?.querySelector('iframe');
    if (frame) frame.addEventListener('load', start);
    else start();
  });
};

export default afterCard;
