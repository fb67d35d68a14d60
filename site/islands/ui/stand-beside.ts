const GAP = 4;

/** Puts an open popover under what it belongs to, or above it where there is no room, and never past the window's edge. */
export function standBeside(owner: HTMLElement, panel: HTMLElement, align?: 'end'): void {
  const { left, right, top, bottom } = owner.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const isAbove = bottom + GAP + height > window.innerHeight && top > height + GAP;
  const wanted = align ? right - width : left;
  panel.style.left = `${Math.max(GAP, Math.min(wanted, document.documentElement.clientWidth - width - GAP))}px`;
  panel.style.top = `${isAbove ? top - GAP - height : bottom + GAP}px`;
}
