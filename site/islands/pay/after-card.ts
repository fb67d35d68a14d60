import type { ClientDirective } from 'astro';
import { CARD_FRAME_ID } from './card-options.ts';

declare module 'astro' {
  interface AstroClientDirectives {
    'client:after-card'?: boolean;
  }
}

/** The maximum time (ms) that a slow provider may delay the page's own script. */
const MAX_DELAY_MS = 3000;
const INPUT_EVENTS = ['pointerdown', 'focusin', 'keydown'];

/** The property of `window` that site/inline/card-first.js sets when it opens the card form. */
type WindowWithEarlyForm = { tillwayCard?: { opened: Promise<boolean> } };

/**
 * Starts the pay page's script when the provider's frame has loaded. On a slow connection, loading both at once would
 * delay the card fields, which do not need our script. The payer's first input starts the script at once.
 */
const afterCard: ClientDirective = (load) => {
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    for (const type of INPUT_EVENTS) removeEventListener(type, start);
    void load().then((hydrate) => hydrate());
  };
  const { tillwayCard: early } = window as WindowWithEarlyForm;
  if (!early) return start();
  for (const type of INPUT_EVENTS) addEventListener(type, start);
  setTimeout(start, MAX_DELAY_MS);
  void early.opened.then(() => {
    const frame = document.getElementById(CARD_FRAME_ID)?.querySelector('iframe');
    if (frame) frame.addEventListener('load', start);
    else start();
  });
};

export default afterCard;
