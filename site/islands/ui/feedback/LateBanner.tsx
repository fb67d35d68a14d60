import { type ComponentProps, useState } from 'react';
import { createPortal } from 'react-dom';
import { Banner } from './Banner.tsx';
import '#site/styles/parts/feedback/late-banners.css';

const PLACE = 'late-banners';

/** The place over the bottom of the window that all late banners share. */
function placeOf(body: HTMLElement): Element {
  const made = body.querySelector(`:scope > .${PLACE}`);
  if (made) return made;
  const place = document.createElement('div');
  place.className = PLACE;
  body.appendChild(place);
  return place;
}

/**
 * A banner that comes after a response or a press. In the page it would move what somebody is about to press, so it
 * lies over the bottom of the window until it is closed.
 */
export function LateBanner({ onDismiss, ...props }: ComponentProps<typeof Banner>) {
  const [isClosed, setClosed] = useState(false);
  if (isClosed) return null;
  return createPortal(<Banner {...props} onDismiss={onDismiss ?? (() => setClosed(true))} />, placeOf(document.body));
}
