import { type ComponentProps, useState } from 'react';
import { createPortal } from 'react-dom';
import { Banner } from './Banner.tsx';
import '#site/styles/parts/feedback/late-banners.css';

const CONTAINER_CLASS = 'late-banners';

/** Returns the container at the bottom of the window, which all late banners share. */
function containerIn(body: HTMLElement): Element {
  const existing = body.querySelector(`:scope > .${CONTAINER_CLASS}`);
  if (existing) return existing;
  const container = document.createElement('div');
  container.className = CONTAINER_CLASS;
  body.appendChild(container);
  return container;
}

/**
 * A banner that appears after a response or a click. It overlays the bottom of the window until it is closed, since in
 * the flow of the page it could move the control that the user is about to click.
 */
export function LateBanner({ onDismiss, ...props }: ComponentProps<typeof Banner>) {
  const [isClosed, setClosed] = useState(false);
  if (isClosed) return null;
  return createPortal(
    <Banner {...props} onDismiss={onDismiss ?? (() => setClosed(true))} />,
    containerIn(document.body),
  );
}
