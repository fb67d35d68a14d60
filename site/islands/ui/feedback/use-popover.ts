import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react';

/** Closes an open element on Escape, on a click outside it, and when the focus leaves it. */
export function useDismiss(
  root: RefObject<HTMLElement | null>,
  isOpen: boolean,
  close: (trigger: 'escape' | 'leaving') => void,
) {
  const onClose = useEffectEvent(close);
  useEffect(() => {
    const element = root.current;
    if (!isOpen || !element) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose('escape');
    };
    const onLeave = ({ target }: Event) => {
      if (target instanceof Node && !element.contains(target)) onClose('leaving');
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onLeave);
    document.addEventListener('focusin', onLeave);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onLeave);
      document.removeEventListener('focusin', onLeave);
    };
  }, [root, isOpen]);
}

type Align = 'end' | undefined;

const GAP_PX = 4;

/** Places the panel below its owner, or above it if there is more room, and inside the edges of the window. */
function placePanel(owner: HTMLElement, panel: HTMLElement, align: Align): void {
  const { left, right, top, bottom } = owner.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const spaceBelow = clientHeight - bottom - 2 * GAP_PX;
  const spaceAbove = top - 2 * GAP_PX;
  const isAbove = panel.scrollHeight > spaceBelow && spaceAbove > spaceBelow;
  const width = panel.offsetWidth;
  const preferredLeft = align ? right - width : left;
  panel.style.left = `${Math.max(GAP_PX, Math.min(preferredLeft, clientWidth - width - GAP_PX))}px`;
  panel.style.top = isAbove ? 'auto' : `${bottom + GAP_PX}px`;
  panel.style.bottom = isAbove ? `${clientHeight - top + GAP_PX}px` : 'auto';
  panel.style.maxHeight = `${isAbove ? spaceAbove : spaceBelow}px`;
}

/**
 * Shows an open panel in the top layer, so that nothing clips it, and moves it with its owner. If the styles put the
 * panel into the flow of the page, it stays there.
 */
export function useFloatingPanel(
  owner: RefObject<HTMLElement | null>,
  panel: RefObject<HTMLElement | null>,
  isOpen: boolean,
  align?: Align,
): void {
  useLayoutEffect(() => {
    const [ownerElement, panelElement] = [owner.current, panel.current];
    if (!isOpen || !ownerElement || !panelElement) return;
    const updatePosition = () => {
      const isFloating = getComputedStyle(panelElement).position === 'fixed';
      // Older browsers have no top layer. The panel then only overlaps the content around it.
      panelElement.togglePopover?.(isFloating);
      if (isFloating) placePanel(ownerElement, panelElement, align);
      else panelElement.removeAttribute('style');
    };
    const onScroll = ({ target }: Event) => target !== panelElement && updatePosition();
    const observer = new ResizeObserver(updatePosition);
    updatePosition();
    observer.observe(panelElement);
    // Content that loads late above the owner moves the owner without a scroll event.
    observer.observe(document.body);
    document.addEventListener('scroll', onScroll, true);
    window.addEventListener('resize', updatePosition);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', onScroll, true);
      window.removeEventListener('resize', updatePosition);
      if (panelElement.isConnected) panelElement.togglePopover?.(false);
    };
  }, [owner, panel, isOpen, align]);
}
